// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The issue list by declaration, which tells all errors.

import Decant
import DecantFoundation
import Foundation

enum ByDeclaration {
  @JSONModel(keys: .snakeCase) struct Issue {
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

  @JSONModel(keys: .snakeCase) struct User {
    let login: String
    let id: Int
    let avatarUrl: String
    let siteAdmin: Bool
  }

  @JSONModel struct Label {
    let id: Int
    let name: String
    let color: String
    let description: String?
  }

  @JSONModel(keys: .snakeCase) struct Milestone {
    let id: Int
    let title: String
    let openIssues: Int
    let dueOn: Date?
  }

  @JSONModel(keys: .snakeCase) struct Reactions {
    let totalCount: Int
    @JSONField("+1") let plusOne: Int
    @JSONField("-1") let minusOne: Int
    let laugh: Int
  }

  @JSONModel(keys: .snakeCase) struct PullRequest {
    let url: String
    let mergedAt: Date?
  }

  @JSONModel enum State: String { case open, closed }
}
