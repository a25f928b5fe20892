/** What the redirect logs, and what operators' alarms look for. */
export const linkUnreadable = 'the link could not be read';
export const clickLost = 'a click was not counted';
