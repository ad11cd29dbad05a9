// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The issue list by build, which tells all errors, of 24 fields at most: the issue is built of two parts.

import Decant
import DecantFoundation
import Foundation

enum ByBuild {
  struct Issue: JSONDecodable, JSONWritable {
    let url: String
    let repositoryUrl: String
    let labelsUrl: String
    let commentsUrl: String
    let eventsUrl: String
    let htmlUrl: String
    let id: Int
    let nodeId: String
    let number: Int
    let title: String
    let user: User
    let labels: [Label]
    let state: State
    let locked: Bool
    let assignee: User?
    let assignees: [User]
    let milestone: Milestone?
    let comments: Int
    let createdAt: Date
    let updatedAt: Date
    let closedAt: Date?
    let authorAssociation: String
    let activeLockReason: String?
    let body: String?
    let reactions: Reactions
    let pullRequest: PullRequest?

    static func decode(_ json: JSON) -> Decoded<Self> {
      let first = build(
        {
          (
            url: String, repositoryUrl: String, labelsUrl: String, commentsUrl: String,
            eventsUrl: String, htmlUrl: String, id: Int, nodeId: String, number: Int, title: String,
            user: User, labels: [Label], state: State
          ) in
          (
            url, repositoryUrl, labelsUrl, commentsUrl, eventsUrl, htmlUrl, id, nodeId, number,
            title, user, labels, state
          )
        },
        json.decode("url"), json.decode("repository_url"), json.decode("labels_url"),
        json.decode("comments_url"), json.decode("events_url"), json.decode("html_url"),
        json.decode("id"), json.decode("node_id"), json.decode("number"), json.decode("title"),
        json.decode("user"), json.decode("labels"), json.decode("state"))
      let second = build(
        {
          (
            locked: Bool, assignee: User?, assignees: [User], milestone: Milestone?, comments: Int,
            createdAt: Date, updatedAt: Date, closedAt: Date?, authorAssociation: String,
            activeLockReason: String?, body: String?, reactions: Reactions,
            pullRequest: PullRequest?
          ) in
          (
            locked, assignee, assignees, milestone, comments, createdAt, updatedAt, closedAt,
            authorAssociation, activeLockReason, body, reactions, pullRequest
          )
        },
        json.decode("locked"), json.decodeIfPresent("assignee"), json.decode("assignees"),
        json.decodeIfPresent("milestone"), json.decode("comments"), json.decode("created_at"),
        json.decode("updated_at"), json.decodeIfPresent("closed_at"),
        json.decode("author_association"), json.decodeIfPresent("active_lock_reason"),
        json.decodeIfPresent("body"), json.decode("reactions"), json.decodeIfPresent("pull_request")
      )
      return build(
        { a, b in
          Self(
            url: a.0, repositoryUrl: a.1, labelsUrl: a.2, commentsUrl: a.3, eventsUrl: a.4,
            htmlUrl: a.5, id: a.6, nodeId: a.7, number: a.8, title: a.9, user: a.10, labels: a.11,
            state: a.12, locked: b.0, assignee: b.1, assignees: b.2, milestone: b.3, comments: b.4,
            createdAt: b.5, updatedAt: b.6, closedAt: b.7, authorAssociation: b.8,
            activeLockReason: b.9, body: b.10, reactions: b.11, pullRequest: b.12)
        }, first, second)
    }

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("url", url)
        $0.field("repository_url", repositoryUrl)
        $0.field("labels_url", labelsUrl)
        $0.field("comments_url", commentsUrl)
        $0.field("events_url", eventsUrl)
        $0.field("html_url", htmlUrl)
        $0.field("id", id)
        $0.field("node_id", nodeId)
        $0.field("number", number)
        $0.field("title", title)
        $0.field("user", user)
        $0.field("labels", labels)
        $0.field("state", state)
        $0.field("locked", locked)
        $0.fieldIfPresent("assignee", assignee)
        $0.field("assignees", assignees)
        $0.fieldIfPresent("milestone", milestone)
        $0.field("comments", comments)
        $0.field("created_at", createdAt)
        $0.field("updated_at", updatedAt)
        $0.fieldIfPresent("closed_at", closedAt)
        $0.field("author_association", authorAssociation)
        $0.fieldIfPresent("active_lock_reason", activeLockReason)
        $0.fieldIfPresent("body", body)
        $0.field("reactions", reactions)
        $0.fieldIfPresent("pull_request", pullRequest)
      }
    }
  }

  struct User: JSONDecodable, JSONWritable {
    let login: String
    let id: Int
    let avatarUrl: String
    let siteAdmin: Bool

    static func decode(_ json: JSON) -> Decoded<Self> {
      build(
        Self.init,
        json.decode("login"), json.decode("id"), json.decode("avatar_url"),
        json.decode("site_admin"))
    }

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("login", login)
        $0.field("id", id)
        $0.field("avatar_url", avatarUrl)
        $0.field("site_admin", siteAdmin)
      }
    }
  }

  struct Label: JSONDecodable, JSONWritable {
    let id: Int
    let name: String
    let color: String
    let description: String?

    static func decode(_ json: JSON) -> Decoded<Self> {
      build(
        Self.init,
        json.decode("id"), json.decode("name"), json.decode("color"),
        json.decodeIfPresent("description"))
    }

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("id", id)
        $0.field("name", name)
        $0.field("color", color)
        $0.fieldIfPresent("description", description)
      }
    }
  }

  struct Milestone: JSONDecodable, JSONWritable {
    let id: Int
    let title: String
    let openIssues: Int
    let dueOn: Date?

    static func decode(_ json: JSON) -> Decoded<Self> {
      build(
        Self.init,
        json.decode("id"), json.decode("title"), json.decode("open_issues"),
        json.decodeIfPresent("due_on"))
    }

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("id", id)
        $0.field("title", title)
        $0.field("open_issues", openIssues)
        $0.fieldIfPresent("due_on", dueOn)
      }
    }
  }

  struct Reactions: JSONDecodable, JSONWritable {
    let totalCount: Int
    let plusOne: Int
    let minusOne: Int
    let laugh: Int

    static func decode(_ json: JSON) -> Decoded<Self> {
      build(
        Self.init,
        json.decode("total_count"), json.decode("+1"), json.decode("-1"), json.decode("laugh"))
    }

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("total_count", totalCount)
        $0.field("+1", plusOne)
        $0.field("-1", minusOne)
        $0.field("laugh", laugh)
      }
    }
  }

  struct PullRequest: JSONDecodable, JSONWritable {
    let url: String
    let mergedAt: Date?

    static func decode(_ json: JSON) -> Decoded<Self> {
      build(
        Self.init,
        json.decode("url"), json.decodeIfPresent("merged_at"))
    }

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("url", url)
        $0.fieldIfPresent("merged_at", mergedAt)
      }
    }
  }

  enum State: String, JSONDecodable, JSONWritable { case open, closed }
}
