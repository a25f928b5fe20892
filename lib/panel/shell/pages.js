import { strings } from '../strings.ts';
/** The pages that the navigation leads to. */
export const pages = [
    { to: '/accounts', name: strings.navigation.accounts, icon: 'accounts', keys: 'g a' },
    { to: '/developers/{-$tab}', name: strings.navigation.developers, icon: 'developers', keys: 'g d' },
    { to: '/settings/{-$tab}', name: strings.navigation.settings, icon: 'settings', keys: 'g s' },
];
/** The parameters of a link that leads to the first tab of a page, whatever tab is shown now. */
export const firstTab = { tab: undefined };
