//! Many short lists in one piece of memory.
//!
//! Pairs of a list's number and an item in, in any order of lists; every list as a slice out, its items in the order in
//! which they came.

/// Lists by number.
#[derive(Debug, Default)]
pub struct Lists<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Default> Lists<T> {
    /// Puts every item into its list.
    pub fn of(lists: usize, pairs: &[(u32, T)]) -> Lists<T> {
        let mut starts = vec![0_u32; lists + 1];
        for (list, _) in pairs {
            starts[*list as usize + 1] += 1;
        }
        for list in 0..lists {
            starts[list + 1] += starts[list];
        }
        let mut next = starts.clone();
        let mut items = vec![T::default(); pairs.len()];
        for (list, item) in pairs {
            let at = &mut next[*list as usize];
            items[*at as usize] = *item;
            *at += 1;
        }
        Lists { starts, items }
    }

    /// The items of a list.
    pub fn get(&self, list: u32) -> &[T] {
        &self.items[self.starts[list as usize] as usize..self.starts[list as usize + 1] as usize]
    }
}
