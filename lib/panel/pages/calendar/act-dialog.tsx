import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { DayField } from '../../components/day-field.tsx';
import { Dialog, DialogActions, DialogBody } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { PublishNowDialog, RemoveDialog } from '../../posts/confirm-dialogs.tsx';
import type { Duplicate } from '../../posts/duplicate.ts';
import { atWallClock } from '../../posts/move.ts';
import type { Movable } from '../../posts/moves.tsx';
import { excerptOf } from '../../posts/post.ts';
import { wallClockOf } from '../../wall-clock.ts';
import { words } from '../../words/words.ts';
import { type CardAct, useTools } from './context.tsx';

const texts = words.calendarActions.copy;
const formId = 'copy-post';
const usualTime = '09:00';

interface ActDialogProps {
  act: CardAct;
  movable: Movable;
  copies: Duplicate;
  onClose: () => void;
}

/** Asks before a card's post is copied to another day, published, or deleted. */
export function ActDialog({ act, movable, copies, onClose }: ActDialogProps) {
  const { post } = movable;
  if (act === 'publish') return <PublishNowDialog post={post} isOpen onClose={onClose} />;
  if (act === 'remove') return <RemoveDialog post={post} isOpen onClose={onClose} />;
  return <CopyDialog movable={movable} copies={copies} onClose={onClose} />;
}

function CopyDialog({ movable: { post, at }, copies, onClose }: Omit<ActDialogProps, 'act'>) {
  const { timezone, today } = useTools();
  const wall = at === null ? undefined : wallClockOf(new Date(at), timezone);
  const [day, setDay] = useState(wall !== undefined && wall.date > today ? wall.date : today);
  const [problem, setProblem] = useState<string>();
  const submit = () => {
    if (day === '') return setProblem(texts.incomplete);
    const to = atWallClock({ date: day, time: wall?.time ?? usualTime }, null, timezone, Date.now());
    if (to.kind !== 'time') return setProblem(texts.past);
    onClose();
    copies.start(post, { staysHere: true, scheduledFor: to.at.toISOString() });
  };
  return (
    <Dialog title={texts.title(words.moving.named(excerptOf(post, 40)))} isOpen onClose={onClose}>
      <DialogBody>
        <Form id={formId} onSubmit={submit} error={null}>
          <p>{texts.lead}</p>
          <DayField
            label={texts.day}
            value={day}
            onChange={(next) => {
              setProblem(undefined);
              setDay(next);
            }}
          />
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
          {texts.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
