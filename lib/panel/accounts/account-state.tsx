import type { IconName } from '../components/icon.tsx';
import { Status, type Tone } from '../components/status.tsx';
import { words } from '../words/words.ts';
import type { Condition } from './account.ts';

const looks: Readonly<Record<Condition, { tone: Tone; icon?: IconName }>> = {
  ok: { tone: 'good' },
  expiring: { tone: 'warn', icon: 'clock' },
  error: { tone: 'warn' },
  expired: { tone: 'bad' },
};

/** The state of an account, as picture and word. */
export function AccountState({ condition }: { condition: Condition }) {
  return <Status {...looks[condition]}>{words.account.conditions[condition]}</Status>;
}
