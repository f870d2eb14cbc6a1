//! `reset_schedule`: five fields of cron, in UTC (`0 6 * * 1` is Mondays, six o'clock).
//!
//! A text in; the moments around another one out. Lists, ranges, steps and `*`; of two fields for days either will do when both are
//! set, as cron has it.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// How far a schedule is looked for: one that rings on a 29th of February is found.
const MOST_DAYS: usize = 366 * 9;

/// A schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cron {
    text: String,
    minutes: u64,
    hours: u64,
    days: u64,
    months: u64,
    weekdays: u64,
    any_day: bool,
    any_weekday: bool,
}

impl Cron {
    /// Reads a schedule; none when it is no schedule, or never rings.
    pub fn parse(text: &str) -> Option<Cron> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [minutes, hours, days, months, weekdays] = fields.as_slice() else { return None };
        let mut weekday_set = field(weekdays, 0, 7)?;
        // Sunday is 0 and 7.
        if weekday_set & (1 << 7) != 0 {
            weekday_set |= 1;
        }
        let cron = Cron {
            text: fields.join(" "),
            minutes: field(minutes, 0, 59)?,
            hours: field(hours, 0, 23)?,
            days: field(days, 1, 31)?,
            months: field(months, 1, 12)?,
            weekdays: weekday_set,
            any_day: days.starts_with('*'),
            any_weekday: weekdays.starts_with('*'),
        };
        cron.next(Timestamp::UNIX_EPOCH).is_some().then_some(cron)
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The last time that it rang, that moment included, and the next time.
    pub fn around(&self, now: Timestamp) -> Option<(Timestamp, Timestamp)> {
        Some((self.last(now)?, self.next(now)?))
    }

    fn last(&self, now: Timestamp) -> Option<Timestamp> {
        let here = now.to_zoned(TimeZone::UTC).datetime();
        let mut day = here.date();
        let mut until = u32::try_from(i32::from(here.hour()) * 60 + i32::from(here.minute())).ok()?;
        for _ in 0..MOST_DAYS {
            if self.is_day(day)
                && let Some(minute) = (0..=until).rev().find(|minute| self.is_minute(*minute))
            {
                return moment(day, minute);
            }
            day = day.yesterday().ok()?;
            until = 24 * 60 - 1;
        }
        None
    }

    fn next(&self, now: Timestamp) -> Option<Timestamp> {
        let after = now.checked_add(SignedDuration::from_mins(1)).ok()?.to_zoned(TimeZone::UTC).datetime();
        let mut day = after.date();
        let mut from = u32::try_from(i32::from(after.hour()) * 60 + i32::from(after.minute())).ok()?;
        for _ in 0..MOST_DAYS {
            if self.is_day(day)
                && let Some(minute) = (from..24 * 60).find(|minute| self.is_minute(*minute))
            {
                return moment(day, minute);
            }
            day = day.tomorrow().ok()?;
            from = 0;
        }
        None
    }

    fn is_day(&self, day: Date) -> bool {
        let is_of_month = has(self.days, i64::from(day.day()));
        let is_weekday = has(self.weekdays, i64::from(day.weekday().to_sunday_zero_offset()));
        let is_day = match (self.any_day, self.any_weekday) {
            (true, _) | (_, true) => is_of_month && is_weekday,
            (false, false) => is_of_month || is_weekday,
        };
        is_day && has(self.months, i64::from(day.month()))
    }

    fn is_minute(&self, minute: u32) -> bool {
        has(self.hours, i64::from(minute / 60)) && has(self.minutes, i64::from(minute % 60))
    }
}

fn has(set: u64, number: i64) -> bool {
    (0..64).contains(&number) && set & (1 << number) != 0
}

fn moment(day: Date, minute: u32) -> Option<Timestamp> {
    let (hour, minute) = (i8::try_from(minute / 60).ok()?, i8::try_from(minute % 60).ok()?);
    let time = Time::new(hour, minute, 0, 0).ok()?;
    Some(day.to_datetime(time).to_zoned(TimeZone::UTC).ok()?.timestamp())
}

/// One field: numbers, ranges and steps, with commas between them.
fn field(text: &str, least: u64, most: u64) -> Option<u64> {
    let mut set = 0_u64;
    for part in text.split(',') {
        let (range, step) = match part.split_once('/') {
            Some((range, step)) => (range, step.parse::<u64>().ok().filter(|step| *step > 0)?),
            None => (part, 1),
        };
        let (from, to) = match range.split_once('-') {
            _ if range == "*" => (least, most),
            Some((from, to)) => (from.parse().ok()?, to.parse().ok()?),
            None => {
                let only: u64 = range.parse().ok()?;
                (only, if part.contains('/') { most } else { only })
            }
        };
        if from < least || to > most || from > to {
            return None;
        }
        let step = usize::try_from(step).ok()?;
        (from..=to).step_by(step).for_each(|number| set |= 1 << number);
    }
    (set != 0).then_some(set)
}
