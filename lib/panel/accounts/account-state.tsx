import type { IconName } from '../components/icon.tsx';
import { Status, type Tone } from '../components/status.tsx';
import type { Condition } from './condition.ts';
import { strings } from './strings.ts';

const looks: Readonly<Record<Condition, { readonly tone: Tone; readonly icon?: IconName }>> = {
  ok: { tone: 'good' },
  expiring: { tone: 'warn', icon: 'clock' },
  error: { tone: 'warn' },
  expired: { tone: 'bad' },
};

/** The state of an account, as picture and word. */
export function AccountState({ condition }: { readonly condition: Condition }) {
  return <Status {...looks[condition]}>{strings.conditions[condition]}</Status>;
}
