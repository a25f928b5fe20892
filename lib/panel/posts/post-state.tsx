import type { IconName } from '../components/icon.tsx';
import { Status, type Tone } from '../components/status.tsx';
import { words } from '../words/words.ts';
import type { Condition } from './post.ts';

const looks: Readonly<Record<Condition, { tone: Tone; icon?: IconName }>> = {
  draft: { tone: 'neutral', icon: 'pencil' },
  scheduled: { tone: 'info' },
  waiting: { tone: 'warn', icon: 'clock' },
  publishing: { tone: 'info', icon: 'refresh' },
  published: { tone: 'good' },
  partial: { tone: 'warn' },
  failed: { tone: 'bad' },
  unknown: { tone: 'bad', icon: 'alert' },
};

interface PostStateProps {
  condition: Condition;
  isPlain?: boolean | undefined;
  isShort?: boolean | undefined;
}

/** The state of a post or a destination, as picture and word. */
export function PostState({ condition, isPlain, isShort }: PostStateProps) {
  const word = words.post.conditions[condition];
  return (
    <Status {...looks[condition]} isPlain={isPlain}>
      {isShort ? (words.post.shortConditions[condition] ?? word) : word}
    </Status>
  );
}
