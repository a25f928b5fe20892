import { words } from '../words/words.ts';
import classes from './poll.module.css';

interface PollProps {
  question?: string | undefined;
  choices: readonly string[];
  time: string;
}

/** The choices of a poll before anybody has voted. */
export function Poll({ question, choices, time }: PollProps) {
  return (
    <div className={classes['poll']}>
      {question && (
        <b className={classes['question']} dir="auto">
          {question}
        </b>
      )}
      <ul className={classes['choices']}>
        {choices.map((choice, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: choices have nothing but their places
          <li key={place} dir="auto">
            {choice || ' '}
          </li>
        ))}
      </ul>
      <span className={classes['votes']}>
        {words.previews.votes} · {words.previews.left(time)}
      </span>
    </div>
  );
}

/** The texts of a poll in a destination's options, as far as they are filled in. */
export function pollOf(options: Readonly<Record<string, unknown>>) {
  const poll = options['poll'];
  if (typeof poll !== 'object' || poll === null) return undefined;
  const { question, options: choices, duration } = poll as Readonly<Record<string, unknown>>;
  return {
    question: typeof question === 'string' ? question : undefined,
    choices: Array.isArray(choices) ? choices.map(String) : [],
    duration: typeof duration === 'string' ? duration : undefined,
  };
}
