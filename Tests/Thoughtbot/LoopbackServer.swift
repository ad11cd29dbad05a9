// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// An HTTP server for tests: on 127.0.0.1, on a port that the system chooses, in a thread of its own. What it
// answers depends on the path alone. It serves one connection at a time, reads at most 64 KiB of a request,
// and never waits longer than a minute for anything.
//
//   /status/N   status N with the body {"id":5,"name":"Tester"}, without a body for 204 and 304
//   /body/X     status 200 with the body X, percent-encoded in the path
//   /large/N    status 200 with a user whose name has N bytes
//   /cut        status 200, a length of 1000, and the connection closed after ten bytes
//   /slow       no answer until the client gives up

import Foundation
import Glibc
import Synchronization

final class LoopbackServer: Sendable {
  let port: UInt16
  private let listener: Int32
  private let isStopping = Atomic<Bool>(false)
  private let isDone = DispatchSemaphore(value: 0)

  struct Failure: Error { let what: String }

  init() throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard listener >= 0 else { throw Failure(what: "socket") }
    guard let port = LoopbackServer.bound(listener), listen(listener, 16) == 0 else {
      close(listener)
      throw Failure(what: "bind or listen")
    }
    self.port = port
    Thread.detachNewThread { [self] in serve() }
  }

  /// Ends the thread and closes the port.
  func stop() {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    shutdown(listener, Int32(SHUT_RDWR))
    _ = isDone.wait(timeout: .now() + 120)
    close(listener)
  }

  func url(_ path: String) throws -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
      throw Failure(what: path)
    }
    return url
  }

  /// A port on which nobody listens: it was bound a moment ago, and is closed.
  static func closedPort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    guard descriptor >= 0, let port = bound(descriptor) else { throw Failure(what: "bind") }
    return port
  }

  // MARK: - The socket

  /// Binds to a free port of 127.0.0.1 and returns it.
  private static func bound(_ descriptor: Int32) -> UInt16? {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // SAFETY: a sockaddr_in is what the family promises, and both calls get its size.
    let status = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, size) == 0
          ? unsafe getsockname(descriptor, address, &size) : -1
      }
    }
    return status == 0 ? UInt16(bigEndian: address.sin_port) : nil
  }

  private func serve() {
    while !isStopping.load(ordering: .sequentiallyConsistent) {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { break }
      if !isStopping.load(ordering: .sequentiallyConsistent) { answer(connection) }
      close(connection)
    }
    isDone.signal()
  }

  private func answer(_ connection: Int32) {
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    // SAFETY: the options take a timeval of that size.
    unsafe setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    unsafe setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
    guard let path = path(of: request(connection)) else { return }
    let steps = path.split(separator: "/", maxSplits: 1).map(String.init)
    let argument = steps.count > 1 ? steps[1] : ""
    switch steps.first {
    case "status": send(connection, status: Int(argument) ?? 500, body: user("Tester"))
    case "body": send(connection, status: 200, body: argument.removingPercentEncoding ?? "")
    case "large":
      let name = String(repeating: "x", count: Int(argument) ?? 0)
      send(connection, status: 200, body: user(name))
    case "cut": write(connection, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"id\":5,\"n")
    case "slow": _ = read(connection)
    default: send(connection, status: 404, body: "")
    }
  }

  private func user(_ name: String) -> String { #"{"id":5,"name":"\#(name)"}"# }

  private func send(_ connection: Int32, status: Int, body: String) {
    let body = status == 204 || status == 304 ? "" : body
    write(
      connection,
      "HTTP/1.1 \(status) Status\r\nContent-Length: \(body.utf8.count)\r\n"
        + "Content-Type: application/json\r\nConnection: close\r\n\r\n" + body)
  }

  // MARK: - Bytes

  /// What one read brings; empty at the end and after a minute.
  private func read(_ connection: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    // SAFETY: `recv` writes at most `count` bytes.
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe recv(connection, $0.baseAddress, $0.count, 0)
    }
    return Array(bytes.prefix(max(count, 0)))
  }

  /// The head of the request, up to its empty line.
  private func request(_ connection: Int32) -> String {
    var head: [UInt8] = []
    while head.count < 65_536 {
      let bytes = read(connection)
      if bytes.isEmpty { break }
      head += bytes
      if String(decoding: head, as: UTF8.self).contains("\r\n\r\n") { break }
    }
    return String(decoding: head, as: UTF8.self)
  }

  /// `/a` of `GET /a HTTP/1.1`.
  private func path(of request: String) -> String? {
    let parts = request.prefix { $0 != "\r\n" }.split(separator: " ")
    return parts.count > 1 ? String(parts[1]) : nil
  }

  private func write(_ connection: Int32, _ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      // SAFETY: `send` reads `count` bytes. A closed connection is an error, not a signal.
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }
}
