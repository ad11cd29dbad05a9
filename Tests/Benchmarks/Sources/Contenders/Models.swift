// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The fields of the models. Each contender declares structs of its own, because a type decodes in
// one way; these protocols hold them to the same fields, and add them up in the same order.

import Corpora

protocol UserFields: Checksummed {
  var id: Int { get }
  var name: String { get }
  var email: String { get }
}

extension UserFields {
  func add(to sum: inout Checksum) {
    sum.add(id)
    sum.add(name)
    sum.add(email)
  }
}

// MARK: - Twitter

protocol TwitterFields: Checksummed {
  associatedtype Status: StatusFields
  var statuses: [Status] { get }
}

protocol StatusFields: Checksummed {
  associatedtype User: TwitterUserFields
  var createdAt: String { get }
  var id: Int { get }
  var text: String { get }
  var retweetCount: Int { get }
  var favorited: Bool { get }
  var inReplyToStatusID: Int? { get }
  var user: User { get }
}

protocol TwitterUserFields: Checksummed {
  var id: Int { get }
  var name: String { get }
  var screenName: String { get }
  var description: String? { get }
  var followersCount: Int { get }
  var verified: Bool { get }
}

extension TwitterFields {
  func add(to sum: inout Checksum) {
    statuses.add(to: &sum)
  }
}

extension StatusFields {
  func add(to sum: inout Checksum) {
    sum.add(createdAt)
    sum.add(id)
    sum.add(text)
    sum.add(retweetCount)
    sum.add(favorited)
    inReplyToStatusID.add(to: &sum)
    user.add(to: &sum)
  }
}

extension TwitterUserFields {
  func add(to sum: inout Checksum) {
    sum.add(id)
    sum.add(name)
    sum.add(screenName)
    description.add(to: &sum)
    sum.add(followersCount)
    sum.add(verified)
  }
}

// MARK: - Citm

protocol CitmFields: Checksummed {
  associatedtype Performance: PerformanceFields
  var performances: [Performance] { get }
}

protocol PerformanceFields: Checksummed {
  associatedtype Price: PriceFields
  associatedtype SeatCategory: SeatCategoryFields
  var eventID: Int { get }
  var id: Int { get }
  var logo: String? { get }
  var name: String? { get }
  var prices: [Price] { get }
  var seatCategories: [SeatCategory] { get }
  var seatMapImage: String? { get }
  var start: Int { get }
  var venueCode: String { get }
}

protocol PriceFields: Checksummed {
  var amount: Int { get }
  var audienceSubCategoryID: Int { get }
  var seatCategoryID: Int { get }
}

protocol SeatCategoryFields: Checksummed {
  associatedtype Area: AreaFields
  var areas: [Area] { get }
  var seatCategoryID: Int { get }
}

protocol AreaFields: Checksummed {
  var areaID: Int { get }
  var blockIDs: [Int] { get }
}

extension CitmFields {
  func add(to sum: inout Checksum) {
    performances.add(to: &sum)
  }
}

extension PerformanceFields {
  func add(to sum: inout Checksum) {
    sum.add(eventID)
    sum.add(id)
    logo.add(to: &sum)
    name.add(to: &sum)
    prices.add(to: &sum)
    seatCategories.add(to: &sum)
    seatMapImage.add(to: &sum)
    sum.add(start)
    sum.add(venueCode)
  }
}

extension PriceFields {
  func add(to sum: inout Checksum) {
    sum.add(amount)
    sum.add(audienceSubCategoryID)
    sum.add(seatCategoryID)
  }
}

extension SeatCategoryFields {
  func add(to sum: inout Checksum) {
    areas.add(to: &sum)
    sum.add(seatCategoryID)
  }
}

extension AreaFields {
  func add(to sum: inout Checksum) {
    sum.add(areaID)
    blockIDs.add(to: &sum)
  }
}

// MARK: - Canada

protocol CanadaFields: Checksummed {
  associatedtype Feature: FeatureFields
  var features: [Feature] { get }
}

protocol FeatureFields: Checksummed {
  associatedtype Geometry: GeometryFields
  var geometry: Geometry { get }
}

protocol GeometryFields: Checksummed {
  var coordinates: [[[Double]]] { get }
}

extension CanadaFields {
  func add(to sum: inout Checksum) {
    features.add(to: &sum)
  }
}

extension FeatureFields {
  func add(to sum: inout Checksum) {
    geometry.add(to: &sum)
  }
}

extension GeometryFields {
  func add(to sum: inout Checksum) {
    coordinates.add(to: &sum)
  }
}
