// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// An issue list of a public API, 26 fields and 7 types: the properties alone, which every spelling has.

import Foundation

enum Properties {
  struct Issue {
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
  }

  struct User {
    let login: String
    let id: Int
    let avatarUrl: String
    let siteAdmin: Bool
  }

  struct Label {
    let id: Int
    let name: String
    let color: String
    let description: String?
  }

  struct Milestone {
    let id: Int
    let title: String
    let openIssues: Int
    let dueOn: Date?
  }

  struct Reactions {
    let totalCount: Int
    let plusOne: Int
    let minusOne: Int
    let laugh: Int
  }

  struct PullRequest {
    let url: String
    let mergedAt: Date?
  }

  enum State: String { case open, closed }
}
