// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Recursive models on stacks of many sizes: each is decoded or written, or there is an error that says that the stack
// does not reach. A crash ends the program.
//
//   decant-stacks                     the spellings, a line each
//   decant-stacks SPELLING KB DEPTH…  on a thread with so many kilobytes of stack; 0: on the main thread
//
// Prints how many depths were answered by a model, and how many by an error.

import CUses
import Decant
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What became of a document.
enum Outcome { case model, tooDeep, other }

func outcome<Model>(_ result: Decoded<Model>) -> Outcome {
  guard let error = result.error else { return .model }
  return error.code == .tooDeep ? .tooDeep : .other
}

func nested(_ depth: Int, _ open: String, _ close: String) -> String {
  String(repeating: open, count: depth) + String(repeating: close, count: depth)
}

func comments(_ depth: Int) -> String { nested(depth, #"{"c":["#, "]}") }

func codable(_ depth: Int) -> CodableComment {
  var comment = CodableComment(c: [])
  for _ in 1..<depth { comment = CodableComment(c: [comment]) }
  return comment
}

func written(_ depth: Int) -> WrittenComment {
  var comment = WrittenComment(replies: [])
  for _ in 1..<depth { comment = WrittenComment(replies: [comment]) }
  return comment
}

func isTooDeep(_ context: (any Error)?) -> Bool {
  (context as? DecodeError)?.code == .tooDeep
}

/// For each spelling what is to be done on the small stack; what it needs is made on the large one.
nonisolated(unsafe) let spellings: [(name: String, make: (Int) -> () -> Outcome)] = [
  (
    "build",
    {
      let text = comments($0)
      return { outcome(Comment.decode(from: text)) }
    }
  ),
  (
    "operators",
    {
      let text = comments($0)
      return { outcome(OperatorComment.decode(from: text)) }
    }
  ),
  (
    "throws",
    {
      let text = comments($0)
      return { outcome(ThrowingComment.decode(from: text)) }
    }
  ),
  (
    "lossy",
    {
      let text = nested($0, #"{"r":{"r":["#, "]}}")
      return {
        outcome(LossyComment.decode(from: text, options: .init(maximumDepth: 4096)))
      }
    }
  ),
  (
    "Decodable",
    {
      let text = comments($0)
      return {
        do { _ = try DecantDecoder().decode(CodableComment.self, from: text) } catch {
          guard case .dataCorrupted(let context)? = error as? DecodingError else { return .other }
          return isTooDeep(context.underlyingError) ? .tooDeep : .other
        }
        return .model
      }
    }
  ),
  (
    "Encodable",
    {
      let comment = codable($0)
      return {
        do { _ = try DecantEncoder().encode(comment) as [UInt8] } catch {
          guard case .invalidValue(_, let context)? = error as? EncodingError else { return .other }
          return context.debugDescription.contains("nested") ? .tooDeep : .other
        }
        return .model
      }
    }
  ),
  (
    "JSONWritable",
    {
      let comment = written($0)
      return {
        do throws(JSONWritingError) { _ = try comment.checkedJSONBytes() } catch {
          return error.code == .tooDeep ? .tooDeep : .other
        }
        return .model
      }
    }
  ),
  (
    "records in C",
    {
      let depth = min($0, 31)
      let text = Array(nested(depth, #"{"c":["#, "]}").utf8CString)
      return { stack_in_c(text, text.count - 1) == 0 ? .model : .tooDeep }
    }
  ),
  (
    "descriptions in C",
    {
      let field = #"{"key":"a","kind":"record","fields":["#
      let text =
        #"{"fields":["#
        + nested(min($0, 31), field, "]}").replacing(
          "[]", with: #"[{"key":"z","kind":"int8"}]"#) + "]}"
      let bytes = Array(text.utf8CString)
      return { description_in_c(bytes, bytes.count - 1) == 0 ? .model : .tooDeep }
    }
  ),
]

func onThread(of bytes: Int, _ body: @escaping () -> Void) {
  final class Box {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setstacksize(&attributes, bytes)
  var thread = pthread_t()
  let box = Unmanaged.passRetained(Box(body))
  let status = pthread_create(
    &thread, &attributes,
    {
      Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().body()
      return nil
    }, box.toOpaque())
  precondition(status == 0, "no thread")
  pthread_join(thread, nil)
}

@main
enum Stacks {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count > 3, let kilobytes = Int(arguments[2]),
      let spelling = spellings.first(where: { $0.name == arguments[1] })
    else {
      for spelling in spellings { print(spelling.name) }
      exit(arguments.count == 1 ? 0 : 2)
    }
    nonisolated(unsafe) var (models, errors, others) = (0, 0, 0)
    for depth in arguments[3...].compactMap({ Int($0) }) {
      let attempt = spelling.make(depth)
      let body = {
        switch attempt() {
        case .model: models += 1
        case .tooDeep: errors += 1
        case .other: others += 1
        }
      }
      if kilobytes == 0 { body() } else { onThread(of: kilobytes << 10, body) }
    }
    print("\(models) models, \(errors) errors")
    exit(others == 0 ? 0 : 1)
  }
}
