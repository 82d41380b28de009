const DAY_MS = 86_400_000;

/** Days from 1970-01-01 to a date written YYYY-MM-DD; NaN when it is written otherwise or no calendar has it. */
export function daysOf(text: string): number {
  const parts = text.length === 10 ? /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) : null;
  if (parts === null) return Number.NaN;
  const [, year, month, day] = parts.map(Number);
  // Date.UTC puts the years before 100 into another century.
  if (year! < 100) return Number.NaN;
  const time = Date.UTC(year!, month! - 1, day);
  const date = new Date(time);
  return date.getUTCMonth() === month! - 1 && date.getUTCDate() === day ? time / DAY_MS : Number.NaN;
}

/** Milliseconds from 1970-01-01 to an instant written as RFC 3339 has it, offset included; NaN for any other text. */
export function millisecondsOf(text: string): number {
  if (text.length > 40) return Number.NaN;
  const parts = /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/.exec(text);
  if (parts === null) return Number.NaN;
  const [, date, hour, minute, second, fraction = '0', sign, offsetHour = '0', offsetMinute = '0'] = parts;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return Number.NaN;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return Number.NaN;
  const minutesAhead = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute));
  const seconds = Number(hour) * 3_600 + Number(minute) * 60 + Number(second) - minutesAhead * 60;
  return daysOf(date!) * DAY_MS + seconds * 1_000 + Math.floor(Number(fraction) * 1_000);
}
