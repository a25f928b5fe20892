export { commitWithCalendar, mostTransactionItems } from './commit.ts';
export { calendarChanges, calendarEntryItem, takesTime } from './entries.ts';
export { freeTime, type TakenTime } from './free.ts';
export { type CalendarEntry, type CalendarPart, countPlanned, readCalendar, toEntry } from './read.ts';
