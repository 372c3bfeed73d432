//! P*(x | class) of all classes, each with the values it can have and no others: of forty values, a class often has four.

/// The probabilities of the values that each class can have.
#[derive(Debug, Clone, Default)]
pub struct Posteriors {
    /// Where the values of each class begin, and one entry more for the end of the last.
    starts: Vec<u32>,
    values: Vec<u32>,
    probabilities: Vec<f64>,
}

impl Posteriors {
    /// None yet; room for so many.
    pub fn with_capacity(classes: usize, values: usize) -> Self {
        let mut starts = Vec::with_capacity(classes + 1);
        starts.push(0);
        Self { starts, values: Vec::with_capacity(values), probabilities: Vec::with_capacity(values) }
    }

    /// Adds the next class; values ascend.
    pub fn push(&mut self, of_values: impl Iterator<Item = (u32, f64)>) {
        for (value, probability) in of_values {
            self.values.push(value);
            self.probabilities.push(probability);
        }
        self.starts.push(self.values.len() as u32);
    }

    /// How many classes there are.
    pub fn classes(&self) -> usize {
        self.starts.len() - 1
    }

    fn places(&self, class: usize) -> std::ops::Range<usize> {
        self.starts[class] as usize..self.starts[class + 1] as usize
    }

    /// The values of a class with their probabilities, ascending by value.
    pub fn of(&self, class: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let places = self.places(class);
        self.values[places.clone()].iter().copied().zip(self.probabilities[places].iter().copied())
    }

    /// 0 where the class cannot have the value.
    pub fn get(&self, class: usize, value: u32) -> f64 {
        let places = self.places(class);
        let place = self.values[places.clone()].binary_search(&value);
        place.map_or(0.0, |place| self.probabilities[places.start + place])
    }
}
