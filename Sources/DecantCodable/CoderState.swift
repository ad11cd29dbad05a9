// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The settings of a coder, and the sessions of its calls. A coder keeps its idle sessions, so that decoding small
// documents allocates only the models. One session is the coder's own, and acquiring it costs one atomic
// exchange. Concurrent calls use spare sessions behind a lock.
//
//   DecantDecoder   CoderState<DecodeContext>
//   DecantEncoder   CoderState<EncodingSession>
//
// A model may keep a part of a session, such as its decoder. Such a session is not used again.

internal import DecantCore

package typealias UserInfo = [CodingUserInfoKey: any Sendable]

/// The state of a call, which the next call reuses.
package protocol CoderSession: AnyObject, Sendable {
  associatedtype Settings: Sendable

  /// How often the coder's settings had been changed when the session was made.
  var version: Int { get }
  /// The `userInfo` of coders: that of the settings, or that of the call.
  var userInfo: UserInfo { get set }
  /// That of the settings.
  var ownUserInfo: UserInfo { get }
  /// Sessions of released coders whose settings were never changed, for the next such coder: a coder that is made for
  /// one document need not find out again how types are coded.
  static var released: IdleSessions<Self> { get }

  init(_ settings: Settings, version: Int)
}

/// Idle sessions. A call never waits for one: where another thread has the lock, it does without.
package final class IdleSessions<Session: Sendable>: Sendable {
  private let sessions = Locked<[Session]>([])
  private static var maximum: Int { 16 }

  init() {}

  func take() -> Session? { sessions.withLockIfAvailable { $0.popLast() } ?? nil }

  func add(_ session: Session) {
    _ = sessions.withLockIfAvailable { if $0.count < Self.maximum { $0.append(session) } }
  }
}

@safe
package final class CoderState<Session: CoderSession>: @unchecked Sendable {
  // SAFETY: the settings and the spare sessions are behind locks; `own` belongs to the call that has set `isTaken`.
  private let settings: Locked<Session.Settings>
  /// How often the settings were changed. Sessions made before the last change are not used.
  private let version = SharedWord(0)
  private let isTaken = SharedWord(0)
  @exclusivity(unchecked) @safe private var own: Session?
  private let spares = IdleSessions<Session>()

  init(_ settings: Session.Settings) { self.settings = Locked(settings) }

  deinit {
    guard let own, own.version == 0, version.value == 0 else { return }
    Session.released.add(own)
  }

  func makeSession() -> Session {
    settings.withLock { Session($0, version: version.value) }
  }

  private func isCurrent(_ session: Session) -> Bool { session.version == version.value }
}

// MARK: - Settings

extension CoderState {
  package func setting<Value>(_ body: (Session.Settings) -> Value) -> Value {
    settings.withLock { body($0) }
  }

  package func set(_ body: (inout Session.Settings) -> Void) {
    // The old settings are released outside the lock, because objects in their `userInfo` may read the settings then.
    _ = settings.withLock {
      let last = $0
      body(&$0)
      version.add(1)
      return last
    }
  }
}

// MARK: - Sessions

extension CoderState {
  /// A session of one call.
  struct Lease {
    // SAFETY: the coder owns its own session until `release`, and any other is retained for that.
    let session: Reference<Session>
    fileprivate let isOwn: Bool
    fileprivate let hasUserInfo: Bool
  }

  /// A session for one call, with more `userInfo`; `release` has to follow.
  @inline(__always)
  func acquire(adding userInfo: UserInfo? = nil) -> Lease {
    EscapedContainers.collect()
    let isOwn = isTaken.exchange(1) == 0
    let session = isOwn ? ownSession() : spareSession()
    if let userInfo { session.with { $0.userInfo = $0.userInfo.adding(userInfo) } }
    return Lease(session: session, isOwn: isOwn, hasUserInfo: userInfo != nil)
  }

  @inline(__always)
  func release(_ lease: Lease) {
    if !lease.isOwn { return releaseSpare(lease) }
    if !isFree(&own, lease) { own = nil }
    isTaken.value = 0
  }

  /// Whether no model has retained a part of the session, which is then ready for the next call. Retained parts keep the
  /// `userInfo` of their call.
  @inline(__always)
  private func isFree(_ session: inout Session?, _ lease: Lease) -> Bool {
    guard isKnownUniquelyReferenced(&session) else { return false }
    if lease.hasUserInfo { session?.userInfo = lease.session.object.ownUserInfo }
    return true
  }

  @inline(__always)
  private func ownSession() -> Reference<Session> {
    if let own, isCurrent(own) { return unsafe Reference(own) }
    return renewOwn()
  }

  @inline(never)
  private func renewOwn() -> Reference<Session> {
    let isPlain = version.value == 0
    let session = (isPlain ? Session.released.take() : nil) ?? makeSession()
    own = session
    return unsafe Reference(session)
  }

  @inline(never)
  private func spareSession() -> Reference<Session> {
    if let session = spares.take(), isCurrent(session) {
      return unsafe Reference(retaining: session)
    }
    return unsafe Reference(retaining: makeSession())
  }

  @inline(never)
  private func releaseSpare(_ lease: Lease) {
    // SAFETY: `acquire` has retained the session.
    var session: Session? = unsafe lease.session.take()
    if isFree(&session, lease), let session { spares.add(session) }
  }
}
