// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A binding in Rust: its structs are those of the page "Bindings", and calls through them work.
//
//   bindings PAGE

#![allow(dead_code)]

use std::ffi::{c_char, c_void, CStr};
use std::mem::{offset_of, size_of, zeroed};
use std::ptr::{null, null_mut};

// A struct as C has it, and a row of the page about it.
macro_rules! structs {
    ($($name:ident { $($member:ident: $type:ty),* })*) => {
        $(#[repr(C)] #[derive(Clone, Copy)] struct $name { $($member: $type),* })*
        fn rows() -> Vec<String> {
            vec![$(
                format!("{} {}: {}", stringify!($name), size_of::<$name>(),
                    [$(format!("{} {}", stringify!($member), offset_of!($name, $member))),*].join(", "))
            ),*]
        }
    };
}

type Text = *const c_char;

structs! {
    error {
        size: usize, code: i32, error_count: i32, offset: i64, line: i64, column: i64, path: [c_char; 256],
        message: [c_char; 1024], details: [c_char; 2048]
    }
    memory {
        allocate: Option<unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void>,
        deallocate: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, usize)>, state: *mut c_void
    }
    options {
        size: usize, engine: i32, duplicate_keys: i32, maximum_depth: usize, maximum_bytes: usize,
        maximum_errors: usize, source_name: Text, memory: *const memory, buffer: *mut c_void, buffer_size: usize,
        relaxations: u32, redacts_input: i32, first_line: i64, first_offset: i64, batch_rows: i64, columns: u32,
        rejects_unknown: i32, framing: i32, skips_byte_order_mark: i32, elements_at: Text,
        release: Option<unsafe extern "C" fn(*mut c_void)>, release_context: *mut c_void, maximum_memory: usize,
        maximum_rejects: usize, pretty: i32, tells_left_out: i32, maximum_rows: i64
    }
    text { bytes: Text, length: usize }
    decimal { low: u64, high: i64 }
    name { name: Text, value: i64 }
    conversion {
        decode: *const c_void, encode: *const c_void, context: *mut c_void, takes_text: i32, reserved: i32
    }
    bounds {
        minimum: i64, maximum: i64, least: f64, most: f64, shortest: usize, longest: usize, ends: u32, reserved: u32
    }
    field {
        key: Text, key_length: u32, kind: u16, element: u16, flags: u32, length_kind: u16, scale: u16, offset: u32,
        length_offset: u32, presence_offset: u32, capacity: u32, record: *const record, names: *const name,
        bounds: *const bounds, default_value: *const c_void, column: Text, other_keys: *const Text, member: Text,
        zone: Text, null_texts: *const Text, records: *const *const record, extent: u32, left_out_offset: u32,
        conversion: *const conversion
    }
    record {
        size: usize, fields: *const field, field_count: usize, storage_offset: usize, field_size: u32, flags: u32,
        defaults: *const c_void
    }
    array { items: *mut c_void, count: usize, storage: *mut c_void }
    piece { json: Text, length: usize, first_line: i64, first_offset: i64 }
    value { document: *const c_void, node: u64 }
    iterator { value: value, key: Text, key_length: usize, container: value, position: u64 }
    writer { state: [u64; 384] }
}

extern "C" {
    fn decant_options_init(options: *mut options, capacity: usize) -> usize;
    fn decant_decode_with(
        record: *const record, json: Text, length: usize, out: *mut c_void, options: *const options,
        error: *mut error,
    ) -> i32;
    fn decant_encode(
        record: *const record, value: *const c_void, buffer: *mut c_char, capacity: usize, length: *mut usize,
        error: *mut error,
    ) -> i32;
    fn decant_free(record: *const record, value: *mut c_void);
}

#[repr(C)]
struct User { id: i64, name: Text, storage: *mut c_void }

fn main() {
    let page = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let mut tables = page.split("```").skip(1).step_by(2);
    let table = tables.next().unwrap().replace(",\n  ", ", ");
    assert_eq!(rows(), table.trim().lines().collect::<Vec<_>>());
    let words: Vec<_> = tables.next().unwrap().split_whitespace().collect();
    let constant = |name: &str| -> i32 {
        let at = words.iter().position(|word| *word == name).unwrap();
        words[at + 1].trim_end_matches(',').parse().unwrap()
    };

    // SAFETY: zeros are a valid field, options, error and user; every pointer is to a value of this function.
    unsafe {
        let mut fields: [field; 2] = zeroed();
        fields[0].key = c"id".as_ptr();
        fields[0].kind = constant("INT64") as u16;
        fields[1].key = c"name".as_ptr();
        fields[1].kind = constant("STRING") as u16;
        fields[1].offset = offset_of!(User, name) as u32;
        let table = record {
            size: size_of::<User>(), fields: fields.as_ptr(), field_count: 2,
            storage_offset: offset_of!(User, storage), field_size: size_of::<field>() as u32, flags: 0,
            defaults: null(),
        };
        let mut options: options = zeroed();
        assert_eq!(decant_options_init(null_mut(), 0), size_of::<options>());
        decant_options_init(&mut options, size_of::<options>());
        let mut error: error = zeroed();
        let mut user: User = zeroed();
        let out = &raw mut user as *mut c_void;
        let good = "{\"id\":5,\"name\":\"Ann\"}";
        let status = decant_decode_with(&table, good.as_ptr().cast(), good.len(), out, &options, &mut error);
        assert_eq!((status, user.id, CStr::from_ptr(user.name)), (constant("OK"), 5, c"Ann"));
        let (mut text, mut length) = ([0u8; 64], 0);
        assert_eq!(decant_encode(&table, out, text.as_mut_ptr().cast(), 64, &mut length, &mut error), 0);
        assert_eq!(&text[..length], good.as_bytes());
        decant_free(&table, out);
        let bad = "{\"id\":\"5\",\"name\":\"Ann\"}";
        let status = decant_decode_with(&table, bad.as_ptr().cast(), bad.len(), out, &options, &mut error);
        assert_eq!((status, error.code, error.column), (constant("TYPE_MISMATCH"), status, 7));
        assert_eq!(CStr::from_ptr(error.path.as_ptr()), c"/id");
    }
}
