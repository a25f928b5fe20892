import type { IconName } from '../components/icon.tsx';
import { words } from '../words/words.ts';

/** The pages that the navigation leads to. */
export const pages = [
  { to: '/', name: words.shared.navigation.home, icon: 'home', keys: 'g h' },
  { to: '/calendar', name: words.shared.navigation.calendar, icon: 'calendar', keys: 'g c' },
  { to: '/posts', name: words.shared.navigation.posts, icon: 'posts', keys: 'g p' },
  { to: '/accounts', name: words.shared.navigation.accounts, icon: 'accounts', keys: 'g a' },
  { to: '/automations', name: words.shared.navigation.automations, icon: 'automations', keys: 'g m' },
  { to: '/media', name: words.shared.navigation.media, icon: 'image', keys: 'g f' },
  { to: '/links', name: words.shared.navigation.links, icon: 'links', keys: 'g l' },
  { to: '/results', name: words.shared.navigation.results, icon: 'results', keys: 'g r' },
  { to: '/developers/{-$tab}', name: words.shared.navigation.developers, icon: 'developers', keys: 'g d' },
  { to: '/settings/{-$tab}', name: words.shared.navigation.settings, icon: 'settings', keys: 'g s' },
] as const satisfies readonly {
  readonly to: string;
  readonly name: string;
  readonly icon: IconName;
  readonly keys: string;
}[];

export type PageLink = (typeof pages)[number];

/** The parameters of a link that leads to the first tab of a page, whatever tab is shown now. */
export const firstTab = { tab: undefined };
