import type { RefObject } from 'react';
import type { Duplicate } from '../../posts/duplicate.ts';
import { MoveNotes } from '../../posts/move-notes.tsx';
import type { Moves } from '../../posts/use-moves.ts';
import { DuplicateNote } from './duplicate-note.tsx';
import { placeOfPost } from './focus.ts';
import classes from './toolbar.module.css';

interface NotesProps {
  moves: Moves;
  duplicate: Duplicate;
  root: RefObject<HTMLElement | null>;
}

/** What did not work, until somebody dismisses it. */
export function Notes({ moves, duplicate, root }: NotesProps) {
  const { failed } = duplicate;
  const leave = (postId: string) => placeOfPost(root.current, postId)?.focus();
  return (
    <div className={classes['notes']}>
      <MoveNotes
        notes={moves.notes}
        onDismiss={({ id, postId }) => {
          moves.dismiss(id);
          leave(postId);
        }}
      />
      {failed && (
        <DuplicateNote
          failed={failed}
          onRetry={() => {
            failed.retry();
            leave(failed.post.id);
          }}
          onDismiss={() => {
            duplicate.dismiss();
            leave(failed.post.id);
          }}
        />
      )}
    </div>
  );
}
