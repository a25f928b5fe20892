/** The calendar's dialogs. */
export const calendarActions = {
  copy: {
    title: (name: string) => `Copy ${name}`,
    lead: 'The copy is a draft at the same time of day.',
    day: 'Day',
    action: 'Copy',
    past: 'This time is in the past. Choose a later day.',
    incomplete: 'Enter a day.',
  },
};
