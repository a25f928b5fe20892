/**
 * The catalogue: all words of the panel, in English. A translation is one folder like `english`, with a file like this one, which
 * `words.ts` then chooses. Texts with values are functions, because languages differ in plurals and in the order of words.
 *
 * Each part has a file of its own, so that a page loads its own words and those that it shares. The panel imports these files, so
 * they import nothing of the panel: if a state has no words, its page does not compile.
 */

export { account } from './english/account.ts';
export { accountsPage } from './english/accounts-page.ts';
export { authorizePage } from './english/authorize-page.ts';
export { automationPage } from './english/automation-page.ts';
export { automationsPage } from './english/automations-page.ts';
export { bulk } from './english/bulk.ts';
export { calendarActions } from './english/calendar-actions.ts';
export { calendarHours } from './english/calendar-hours.ts';
export { calendarPage } from './english/calendar-page.ts';
export { clicks } from './english/clicks.ts';
export { composer } from './english/composer.ts';
export { deliveriesTab } from './english/deliveries-tab.ts';
export { developersPage } from './english/developers-page.ts';
export { endpointsTab } from './english/endpoints-tab.ts';
export { fit } from './english/fit.ts';
export { greeting } from './english/greeting.ts';
export { invitationsPage } from './english/invitations-page.ts';
export { keysTab } from './english/keys-tab.ts';
export { linksPage } from './english/links-page.ts';
export { locale } from './english/locale.ts';
export { media } from './english/media.ts';
export { mediaPage } from './english/media-page.ts';
export { moving } from './english/moving.ts';
export { nowPage } from './english/now-page.ts';
export { options } from './english/options.ts';
export { palette } from './english/palette.ts';
export { post } from './english/post.ts';
export { postPage } from './english/post-page.ts';
export { postsPage } from './english/posts-page.ts';
export { previews } from './english/previews.ts';
export { files, proposals } from './english/proposals.ts';
export { reasons } from './english/reasons.ts';
export { resultsPage } from './english/results-page.ts';
export { session } from './english/session.ts';
export { settingsPage } from './english/settings-page.ts';
export { shared } from './english/shared.ts';
export { snippets } from './english/snippets.ts';
export { tags } from './english/tags.ts';
