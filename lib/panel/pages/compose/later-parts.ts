/**
 * The parts of the composer that are loaded together, after the first field is shown: they are needed once accounts are chosen, or
 * something is wrong.
 */
export { DestinationTabs } from './destination-tabs.tsx';
export { Findings } from './findings.tsx';
