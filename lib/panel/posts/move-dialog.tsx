import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { DateTimeField } from '../components/date-time-field.tsx';
import { Dialog, DialogActions, DialogBody } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import type { WallClock } from '../wall-clock.ts';
import { words } from '../words/words.ts';
import { useWorkspace } from '../workspace.tsx';
import { atWallClock, type Destination, movesAll } from './move.ts';
import type { Movable } from './moves.tsx';
import { excerptOf } from './post.ts';

interface MoveDialogProps {
  movable: Movable;
  wall: WallClock;
  onMove: (to: Destination) => void;
  onClose: () => void;
}

const formId = 'move-post';

/** Asks for another time of a post, or for the first one of a draft. */
export function MoveDialog({ movable, wall: offered, onMove, onClose }: MoveDialogProps) {
  const { timezone } = useWorkspace();
  const [wall, setWall] = useState(offered);
  const [problem, setProblem] = useState<string>();
  const { post, accountIds, at } = movable;
  const submit = () => {
    const to = atWallClock(wall, at, timezone, Date.now());
    if (to.kind === 'past') return setProblem(words.moving.pastField);
    // The time that it has now, or none at all.
    if (to.kind === 'same' && (wall.date === '' || wall.time === ''))
      return setProblem(words.moving.incomplete);
    onClose();
    onMove(to);
  };
  const title = (at === null ? words.moving.planTitle : words.moving.title)(excerptOf(post, 40));
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <DialogBody>
        <Form id={formId} onSubmit={submit} error={null}>
          {!movesAll(movable) && <p>{words.moving.part(accountIds?.length ?? 0, post.platforms.length)}</p>}
          <DateTimeField
            label={words.moving.newTime}
            value={wall}
            onChange={(next) => {
              setProblem(undefined);
              setWall(next);
            }}
          />
          {post.status === 'draft' && <p>{words.moving.draftStays}</p>}
          {problem !== undefined && (
            <Notice tone="bad" isLive>
              {problem}
            </Notice>
          )}
        </Form>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{words.shared.actions.cancel}</Button>
        <Button variant="primary" type="submit" form={formId}>
          {at === null ? words.moving.planAction : words.moving.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
