import { words } from '../words/words.ts';
import classes from './skeleton.module.css';

interface SkeletonProps {
  rows?: number | undefined;
  kind?: 'rows' | 'text' | 'card' | undefined;
}

/** Takes the place of what is loading. It appears only if that takes a moment. */
export function Skeleton({ rows = 3, kind = 'rows' }: SkeletonProps) {
  return (
    <div className={classes[kind]} role="status" aria-label={words.shared.loading}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
        <span key={row} className={classes.bar} aria-hidden="true" />
      ))}
    </div>
  );
}
