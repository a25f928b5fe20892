import type { Choice } from '../../components/option.tsx';

let known: readonly string[] | undefined;

/** All time zones that the browser knows, UTC and those that are in use first. */
export function zoneChoices(...used: readonly string[]): Choice[] {
  known ??= Intl.supportedValuesOf('timeZone');
  return [...new Set([...used, 'UTC', ...known])].map((id) => ({ id, name: id.replaceAll('_', ' ') }));
}
