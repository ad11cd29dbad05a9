// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The issue list by initializers and writers of one's own, which tell the first error.

import Decant
import DecantFoundation
import Foundation

enum ByHand {
  struct Issue: JSONInitializable, JSONWritable {
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

    init(json: JSON) throws(DecodeError) {
      url = try json.get("url")
      repositoryUrl = try json.get("repository_url")
      labelsUrl = try json.get("labels_url")
      commentsUrl = try json.get("comments_url")
      eventsUrl = try json.get("events_url")
      htmlUrl = try json.get("html_url")
      id = try json.get("id")
      nodeId = try json.get("node_id")
      number = try json.get("number")
      title = try json.get("title")
      user = try json.get("user")
      labels = try json.get("labels")
      state = try json.get("state")
      locked = try json.get("locked")
      assignee = try json.getIfPresent("assignee")
      assignees = try json.get("assignees")
      milestone = try json.getIfPresent("milestone")
      comments = try json.get("comments")
      createdAt = try json.get("created_at")
      updatedAt = try json.get("updated_at")
      closedAt = try json.getIfPresent("closed_at")
      authorAssociation = try json.get("author_association")
      activeLockReason = try json.getIfPresent("active_lock_reason")
      body = try json.getIfPresent("body")
      reactions = try json.get("reactions")
      pullRequest = try json.getIfPresent("pull_request")
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

  struct User: JSONInitializable, JSONWritable {
    let login: String
    let id: Int
    let avatarUrl: String
    let siteAdmin: Bool

    init(json: JSON) throws(DecodeError) {
      login = try json.get("login")
      id = try json.get("id")
      avatarUrl = try json.get("avatar_url")
      siteAdmin = try json.get("site_admin")
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

  struct Label: JSONInitializable, JSONWritable {
    let id: Int
    let name: String
    let color: String
    let description: String?

    init(json: JSON) throws(DecodeError) {
      id = try json.get("id")
      name = try json.get("name")
      color = try json.get("color")
      description = try json.getIfPresent("description")
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

  struct Milestone: JSONInitializable, JSONWritable {
    let id: Int
    let title: String
    let openIssues: Int
    let dueOn: Date?

    init(json: JSON) throws(DecodeError) {
      id = try json.get("id")
      title = try json.get("title")
      openIssues = try json.get("open_issues")
      dueOn = try json.getIfPresent("due_on")
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

  struct Reactions: JSONInitializable, JSONWritable {
    let totalCount: Int
    let plusOne: Int
    let minusOne: Int
    let laugh: Int

    init(json: JSON) throws(DecodeError) {
      totalCount = try json.get("total_count")
      plusOne = try json.get("+1")
      minusOne = try json.get("-1")
      laugh = try json.get("laugh")
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

  struct PullRequest: JSONInitializable, JSONWritable {
    let url: String
    let mergedAt: Date?

    init(json: JSON) throws(DecodeError) {
      url = try json.get("url")
      mergedAt = try json.getIfPresent("merged_at")
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
