import type { IconName } from '../components/icon.tsx';
import { strings } from '../strings.ts';

/** The pages that the navigation leads to. */
export const pages = [
  { to: '/', name: strings.navigation.now, icon: 'home', keys: 'g n' },
  { to: '/calendar', name: strings.navigation.calendar, icon: 'calendar', keys: 'g c' },
  { to: '/accounts', name: strings.navigation.accounts, icon: 'accounts', keys: 'g a' },
  { to: '/automations', name: strings.navigation.automations, icon: 'automations', keys: 'g m' },
  { to: '/links', name: strings.navigation.links, icon: 'links', keys: 'g l' },
  { to: '/developers/{-$tab}', name: strings.navigation.developers, icon: 'developers', keys: 'g d' },
  { to: '/settings/{-$tab}', name: strings.navigation.settings, icon: 'settings', keys: 'g s' },
] as const satisfies readonly {
  readonly to: string;
  readonly name: string;
  readonly icon: IconName;
  readonly keys: string;
}[];

export type PageLink = (typeof pages)[number];

/** The parameters of a link that leads to the first tab of a page, whatever tab is shown now. */
export const firstTab = { tab: undefined };
