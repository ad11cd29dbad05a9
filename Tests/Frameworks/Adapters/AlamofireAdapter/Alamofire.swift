// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Alamofire
import DecantCodable
import DecantFoundation

extension DecantDecoder: @retroactive DataDecoder {}
