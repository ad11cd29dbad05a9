// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The bodies of the C functions that @CStruct writes. They name no type of decant.h, so that a model's file only imports
// DecantC, and not publicly.

#if !hasFeature(Embedded)

  public import CDecant
  public import DecantCore

  extension CModel where Self: JSONDecodable {
    /// The body of `decode_<model>`.
    @inlinable
    public static func _decode(
      _ json: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutableRawPointer?,
      _ error: UnsafeMutableRawPointer?
    ) -> Int32 {
      unsafe decode(json, length, into: out, error: error?.errorOut)
    }

    /// The body of `decode_<models>`.
    @inlinable
    public static func _decodeArray(
      _ json: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutableRawPointer?,
      _ error: UnsafeMutableRawPointer?
    ) -> Int32 {
      unsafe decodeArray(json, length, into: out, error: error?.errorOut)
    }

    /// The body of `decode_<model>_lines`.
    public static func _decodeLines(
      _ json: UnsafePointer<CChar>?, _ length: Int, _ function: OpaquePointer?,
      _ context: UnsafeMutableRawPointer?, _ error: UnsafeMutableRawPointer?
    ) -> Int32 {
      // SAFETY: the header declares the function as one of this type.
      let function = unsafe unsafeBitCast(function, to: decant_line_function?.self)
      return unsafe decodeLines(json, length, to: function, context, error: error?.errorOut)
    }
  }

  extension CModel {
    /// There is a function for C only if there is a document to read.
    @available(
      *, unavailable,
      message: "a struct with functions has to be JSONDecodable: add @JSONModel, or isPart: true"
    )
    public static func _decode(
      _ json: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutableRawPointer?,
      _ error: UnsafeMutableRawPointer?
    ) -> Int32 { 0 }

    /// As `_decode`.
    @available(
      *, unavailable,
      message: "a struct with functions has to be JSONDecodable: add @JSONModel, or isPart: true"
    )
    public static func _decodeArray(
      _ json: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutableRawPointer?,
      _ error: UnsafeMutableRawPointer?
    ) -> Int32 { 0 }

    /// As `_decode`.
    @available(
      *, unavailable,
      message: "a struct with functions has to be JSONDecodable: add @JSONModel, or isPart: true"
    )
    public static func _decodeLines(
      _ json: UnsafePointer<CChar>?, _ length: Int, _ function: OpaquePointer?,
      _ context: UnsafeMutableRawPointer?, _ error: UnsafeMutableRawPointer?
    ) -> Int32 { 0 }
  }

  extension CTable {
    /// The body of `encode_<model>`.
    public func _encode(
      _ value: UnsafeRawPointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
      _ length: UnsafeMutablePointer<Int>?, _ error: UnsafeMutableRawPointer?
    ) -> Int32 {
      unsafe encode(value, buffer, capacity, length, error: error?.errorOut)
    }

    /// The body of `encode_<models>`.
    public func _encodeArray(
      _ array: UnsafeRawPointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
      _ length: UnsafeMutablePointer<Int>?, _ error: UnsafeMutableRawPointer?
    ) -> Int32 {
      unsafe encodeArray(array, buffer, capacity, length, error: error?.errorOut)
    }
  }

  extension UnsafeMutableRawPointer {
    /// A caller's error.
    @inlinable
    var errorOut: UnsafeMutablePointer<decant_error> {
      unsafe assumingMemoryBound(to: decant_error.self)
    }
  }

#endif
