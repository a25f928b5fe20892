export { type Clicks, readClicks } from './clicks.ts';
export { isCode, linkAddress } from './codes.ts';
export { type LinkOwner, linkWrites, planLinks, type TrackedLink } from './plan.ts';
export { checkTarget, type TargetVerdict } from './target.ts';
export { addressesIn, replaceAddresses } from './text.ts';
