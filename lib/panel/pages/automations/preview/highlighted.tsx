import type { Match } from './highlight.ts';
import classes from './phone.module.css';

/** A comment with the part that matches marked. */
export function Highlighted({ text, match }: { text: string; match: Match | undefined }) {
  if (match === undefined) return <bdi>{text}</bdi>;
  return (
    <bdi>
      {text.slice(0, match.start)}
      <mark className={classes.mark}>{text.slice(match.start, match.end)}</mark>
      {text.slice(match.end)}
    </bdi>
  );
}
