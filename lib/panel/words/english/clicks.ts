import { count } from './locale.ts';

/** Clicks on tracked links. */
export const clicks = {
  chart: {
    label: 'Clicks per day',
    /** Said wherever days of clicks are shown. */
    zone: (timezone: string) => `Days begin and end at midnight in ${timezone}.`,
    clicks: (number: number) => count(number, 'click', 'clicks'),
    summary: (clicks: number, days: number) =>
      `${count(clicks, 'click', 'clicks')} in ${count(days, 'day', 'days')}`,
    columns: { name: 'Day', value: 'Clicks' },
  },
  link: {
    copy: (address: string) => `Copy ${address}`,
    isFormer: 'No longer sent',
    isFormerHelp:
      'The automation does not contain this address any more. The link keeps working and counting.',
  },
};
