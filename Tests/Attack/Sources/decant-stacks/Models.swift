// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A wide model that contains itself: comments with four authors inline, and replies. A comment takes 1.5 KB, and its
// frames several times as much in a debug build. One model for each spelling.

import Decant

struct Comment: JSONDecodable {
  struct Author: JSONDecodable {
    var login, url, avatar, site, feed, name, company, place, mail, note, type, key: String?
    var id, node, events, repos, orgs, gists, starred, followers, following, received, blog,
      bio: String?
    static func decode(_ json: JSON) -> Decoded<Author> {
      build(
        Author.init, json.decodeIfPresent("login"), json.decodeIfPresent("url"),
        json.decodeIfPresent("avatar"), json.decodeIfPresent("site"), json.decodeIfPresent("feed"),
        json.decodeIfPresent("name"), json.decodeIfPresent("company"),
        json.decodeIfPresent("place"), json.decodeIfPresent("mail"), json.decodeIfPresent("note"),
        json.decodeIfPresent("type"), json.decodeIfPresent("key"), json.decodeIfPresent("id"),
        json.decodeIfPresent("node"), json.decodeIfPresent("events"), json.decodeIfPresent("repos"),
        json.decodeIfPresent("orgs"), json.decodeIfPresent("gists"),
        json.decodeIfPresent("starred"), json.decodeIfPresent("followers"),
        json.decodeIfPresent("following"), json.decodeIfPresent("received"),
        json.decodeIfPresent("blog"), json.decodeIfPresent("bio"))
    }
  }
  var author, editor, reviewer, closer: Author?
  var replies: [Comment]
  static func decode(_ json: JSON) -> Decoded<Comment> {
    build(
      Comment.init, json.decodeIfPresent("author"), json.decodeIfPresent("editor"),
      json.decodeIfPresent("reviewer"), json.decodeIfPresent("closer"), json.decode("c"))
  }
}

struct OperatorComment: JSONDecodable {
  typealias Author = Comment.Author
  var author, editor, reviewer, closer: Author?
  var replies: [OperatorComment]
  static func decode(_ json: JSON) -> Decoded<OperatorComment> {
    curry(OperatorComment.init) <^> json <|? "author" <*> json <|? "editor" <*> json <|? "reviewer"
      <*> json <|? "closer" <*> json <|| "c"
  }
}

struct ThrowingComment: JSONInitializable {
  struct Author: JSONInitializable {
    var login, url, avatar, site, feed, name, company, place, mail, note, type, key: String?
    var id, node, events, repos, orgs, gists, starred, followers, following, received, blog,
      bio: String?
    init(json: JSON) throws(DecodeError) {
      login = try json.getIfPresent("login")
      url = try json.getIfPresent("url")
      avatar = try json.getIfPresent("avatar")
      site = try json.getIfPresent("site")
      feed = try json.getIfPresent("feed")
      name = try json.getIfPresent("name")
      company = try json.getIfPresent("company")
      place = try json.getIfPresent("place")
      mail = try json.getIfPresent("mail")
      note = try json.getIfPresent("note")
      type = try json.getIfPresent("type")
      key = try json.getIfPresent("key")
      id = try json.getIfPresent("id")
      node = try json.getIfPresent("node")
      events = try json.getIfPresent("events")
      repos = try json.getIfPresent("repos")
      orgs = try json.getIfPresent("orgs")
      gists = try json.getIfPresent("gists")
      starred = try json.getIfPresent("starred")
      followers = try json.getIfPresent("followers")
      following = try json.getIfPresent("following")
      received = try json.getIfPresent("received")
      blog = try json.getIfPresent("blog")
      bio = try json.getIfPresent("bio")
    }
  }
  var author, editor, reviewer, closer: Author?
  var replies: [ThrowingComment]
  init(json: JSON) throws(DecodeError) {
    author = try json.getIfPresent("author")
    editor = try json.getIfPresent("editor")
    reviewer = try json.getIfPresent("reviewer")
    closer = try json.getIfPresent("closer")
    replies = try json.get("c")
  }
}

/// By a dictionary, whose values have lossy elements.
struct LossyComment: JSONInitializable {
  var author: ThrowingComment.Author?
  var replies: [String: LossyArray<LossyComment>]
  init(json: JSON) throws(DecodeError) {
    author = try json.getIfPresent("author")
    replies = try json.get("r")
  }
}

struct CodableComment: Codable {
  struct Author: Codable {
    var login, url, avatar, site, feed, name, company, place, mail, note, type, key: String?
    var id, node, events, repos, orgs, gists, starred, followers, following, received, blog,
      bio: String?
  }
  var author, editor, reviewer, closer: Author?
  var c: [CodableComment]
}

/// What the two writers write: so many comments, one inside the other.
struct WrittenComment: JSONWritable {
  struct Author: JSONWritable {
    var names: [String?] = Array(repeating: nil, count: 12)
    func write(to json: inout JSONOutput) {
      json.object { object in
        for name in names { object.field("name", name) }
        object.field("first", names[0])
        object.field("second", names[1])
      }
    }
  }
  var author = Author()
  var replies: [WrittenComment]
  func write(to json: inout JSONOutput) {
    json.object { object in
      object.field("author", author)
      object.field("editor", author)
      object.field("c", replies)
    }
  }
}
