//! What a reader makes of a generalized table.

use super::GeneralizedTable;
use crate::release::conclusions::Conclusions;

impl Conclusions for GeneralizedTable {}
