import { count } from './locale.ts';

/** The page of tracked links. */
export const linksPage = {
  title: 'Links',
  lead: 'Clicks on the links in your private messages. Previews, crawlers and prefetching do not count.',

  range: {
    label: 'Period',
    preset: (days: number) => `${days} days`,
    custom: 'Custom',
    from: 'First day',
    to: 'Last day',
    backwards: 'The last day is before the first one.',
    tooLong: (days: number) => `At most ${days} days.`,
  },
  automation: 'Automation',
  allAutomations: 'All automations',
  unknownAutomation: 'Deleted automation',

  list: {
    label: 'Links',
    title: 'Links',
    columns: { link: 'Link', automation: 'Automation', clicks: 'Clicks' },
    shown: (number: number) => count(number, 'link', 'links'),
    partial: (number: number) =>
      `The ${count(number, 'link', 'links')} of the newest automations. There are more.`,
    reading: (number: number) => `Reading… ${count(number, 'link', 'links')} so far`,
    stale: 'The clicks could not be read again. They may be out of date.',
  },
  none: {
    title: 'No links yet',
    text: 'When an automation sends a private message, the addresses in it become short links, and every click is counted here.',
    action: 'New automation',
    filteredTitle: 'This automation has no tracked links',
    filteredText: 'Its message and buttons contain no address, or tracking is off.',
    open: 'Open the automation',
    clear: 'Show all automations',
    goneTitle: 'This automation no longer exists',
    goneText: 'Its links keep working, but their clicks are not listed any more.',
  },
};
