// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The issue list by Codable. The strategies of keys and dates are the decoder's.

import Foundation

enum ByCodable {
  struct Issue: Codable {
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

  struct User: Codable {
    let login: String
    let id: Int
    let avatarUrl: String
    let siteAdmin: Bool
  }

  struct Label: Codable {
    let id: Int
    let name: String
    let color: String
    let description: String?
  }

  struct Milestone: Codable {
    let id: Int
    let title: String
    let openIssues: Int
    let dueOn: Date?
  }

  struct Reactions: Codable {
    let totalCount: Int
    let plusOne: Int
    let minusOne: Int
    let laugh: Int

    enum CodingKeys: String, CodingKey {
      case totalCount, plusOne = "+1", minusOne = "-1", laugh
    }
  }

  struct PullRequest: Codable {
    let url: String
    let mergedAt: Date?
  }

  enum State: String, Codable { case open, closed }
}
