import { needsSignIn } from '../api/api-error.ts';
import { sentence } from '../components/error-notice.tsx';
import { IconButton } from '../components/icon-button.tsx';
import { ButtonLink } from '../components/link.tsx';
import { Notice } from '../components/notice.tsx';
import { RequestId } from '../components/request-id.tsx';
import { words } from '../words/words.ts';
import type { MoveNote } from './use-moves.ts';

interface MoveNotesProps {
  notes: readonly MoveNote[];
  onDismiss: (note: MoveNote) => void;
}

/** Which posts were not moved and why, until somebody dismisses it. */
export function MoveNotes({ notes, onDismiss }: MoveNotesProps) {
  return notes.map((note) => (
    <Notice
      key={note.id}
      tone={note.tone}
      title={note.title}
      isLive
      actions={
        <>
          <ButtonLink to="/posts/$id" params={{ id: note.postId }} size="small">
            {words.moving.openPost}
          </ButtonLink>
          <IconButton
            icon="cross"
            size="small"
            label={words.shared.actions.dismiss}
            onPress={() => onDismiss(note)}
          />
        </>
      }
    >
      <Reason note={note} />
    </Notice>
  ));
}

function Reason({ note: { lines, error } }: { note: MoveNote }) {
  return (
    <>
      {lines.map((line) => (
        <p key={line}>{sentence(line)}</p>
      ))}
      {error && (needsSignIn(error) || lines.length === 0) && (
        <p>{needsSignIn(error) ? words.shared.errors.signInAgain : sentence(error.message)}</p>
      )}
      {error && <RequestId error={error} />}
    </>
  );
}
