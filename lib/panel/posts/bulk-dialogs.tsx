import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Checkbox } from '../components/checkbox.tsx';
import { DayField } from '../components/day-field.tsx';
import { Dialog, DialogActions, DialogBody } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { Muted, Stack } from '../components/layout.tsx';
import { Notice } from '../components/notice.tsx';
import { Radio, RadioGroup } from '../components/radio-group.tsx';
import { TextField } from '../components/text-field.tsx';
import { addDays, dayIn, isDay } from '../time.ts';
import { words } from '../words/words.ts';
import { useWorkspace } from '../workspace.tsx';
import { type BulkAction, type Distance, type Hindrance, hindranceOf, shifted } from './bulk.ts';
import type { ListedPost } from './post.ts';
import { TagChip } from './tag-chips.tsx';
import { asTag, colorOfTag, foldTag, isTagName, useTags } from './tags.ts';
import type { TagChange } from './use-bulk.ts';

const texts = words.bulk;

interface DialogProps {
  posts: readonly ListedPost[];
  onClose: () => void;
}

interface Sorted {
  readonly able: readonly ListedPost[];
  readonly hindrances: readonly Hindrance[];
}

/** Tells the posts that an action is for from those that it leaves out. */
function sorted(
  posts: readonly ListedPost[],
  hindrance: (post: ListedPost) => Hindrance | undefined,
): Sorted {
  const all = posts.map((post) => ({ post, why: hindrance(post) }));
  return {
    able: all.filter(({ why }) => why === undefined).map(({ post }) => post),
    hindrances: all.flatMap(({ why }) => why ?? []),
  };
}

/** Says which posts an action leaves out, before it is begun. */
function LeftOut({ hindrances }: Pick<Sorted, 'hindrances'>) {
  if (hindrances.length === 0) return null;
  const numbers = new Map<Hindrance, number>();
  for (const each of hindrances) numbers.set(each, (numbers.get(each) ?? 0) + 1);
  return (
    <Notice tone="warn" title={texts.leftOut(hindrances.length)}>
      <Stack as="ul" gap={1}>
        {[...numbers].map(([hindrance, number]) => (
          <li key={hindrance}>{texts.hindrances[hindrance](number)}</li>
        ))}
      </Stack>
    </Notice>
  );
}

const formId = 'posts-action';
const mostDays = 366;
const wholeNumber = /^[+-]?\d{1,3}$/;

/** Asks how far, or to which day, posts move. */
export function MoveManyDialog({
  posts,
  onMove,
  onClose,
}: DialogProps & { onMove: (posts: readonly ListedPost[], distance: Distance) => void }) {
  const { timezone } = useWorkspace();
  const [now] = useState(Date.now);
  const [kind, setKind] = useState<'days' | 'day'>('days');
  const [days, setDays] = useState('1');
  const [day, setDay] = useState(() => addDays(dayIn(new Date(now), timezone), 1));
  const typed = days.trim().replace('−', '-');
  const isNumber = wholeNumber.test(typed) && Math.abs(Number(typed)) <= mostDays && Number(typed) !== 0;
  const distance: Distance | undefined =
    kind === 'day' ? (isDay(day) ? { day } : undefined) : isNumber ? { days: Number(typed) } : undefined;
  const { able, hindrances } = sorted(posts, (post) => {
    const hindrance = hindranceOf('move', post);
    if (hindrance !== undefined || distance === undefined) return hindrance;
    const times = shifted(post, distance, timezone, now);
    return typeof times === 'string' ? times : undefined;
  });
  const submit = () => {
    if (distance === undefined || able.length === 0) return;
    onClose();
    onMove(able, distance);
  };
  return (
    <Dialog title={texts.move.title(posts.length)} size="medium" isOpen onClose={onClose}>
      <DialogBody>
        <Form id={formId} onSubmit={submit} error={null}>
          <RadioGroup
            label={texts.move.kind}
            value={kind}
            onChange={(value) => setKind(value === 'day' ? 'day' : 'days')}
          >
            <Radio value="days">{texts.move.byDays}</Radio>
            <Radio value="day">{texts.move.toDay}</Radio>
          </RadioGroup>
          {kind === 'days' ? (
            <TextField
              label={texts.move.days}
              help={texts.move.daysHelp}
              value={days}
              onChange={setDays}
              inputMode="text"
              validationBehavior="aria"
              validate={() => (isNumber ? null : texts.move.daysProblem)}
            />
          ) : (
            <DayField label={texts.move.day} value={day} onChange={setDay} />
          )}
          <Muted>{texts.move.note(timezone)}</Muted>
          <LeftOut hindrances={hindrances} />
        </Form>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{words.shared.actions.cancel}</Button>
        <Button
          variant="primary"
          type="submit"
          form={formId}
          isDisabled={distance === undefined || able.length === 0}
        >
          {texts.move.action(able.length)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface ConfirmProps extends DialogProps {
  action: Extract<BulkAction, 'retry' | 'remove'>;
  onConfirm: (posts: readonly ListedPost[]) => void;
}

/** Asks before posts are tried again or deleted. */
export function ConfirmManyDialog({ posts, action, onConfirm, onClose }: ConfirmProps) {
  const { able, hindrances } = sorted(posts, (post) => hindranceOf(action, post));
  const planned = able.filter(({ status }) => status === 'scheduled').length;
  return (
    <Dialog
      title={texts[action].title(posts.length)}
      isOpen
      onClose={onClose}
      {...(action === 'remove' && { role: 'alertdialog' as const })}
    >
      <DialogBody>
        {able.length > 0 && action === 'retry' && <p>{texts.retry.text}</p>}
        {able.length > 0 && action === 'remove' && (
          <p>
            {texts.remove.text(able.length)} {planned > 0 && texts.remove.planned(planned)}{' '}
            {texts.remove.files}
          </p>
        )}
        <LeftOut hindrances={hindrances} />
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose} autoFocus={action === 'remove'}>
          {words.shared.actions.cancel}
        </Button>
        <Button
          variant={action === 'remove' ? 'danger' : 'primary'}
          isDisabled={able.length === 0}
          onPress={() => {
            onClose();
            onConfirm(able);
          }}
        >
          {texts[action].action(able.length)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Chooses the tags that all of the posts get or lose. A tag that only some of them have stays as it is until it is chosen. */
export function TagManyDialog({
  posts,
  onTag,
  onClose,
}: DialogProps & { onTag: (posts: readonly ListedPost[], change: TagChange) => void }) {
  const tags = useTags() ?? [];
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [added, setAdded] = useState('');
  const numberOf = (name: string) => posts.filter((post) => post.tags.includes(name)).length;
  const names = [...new Set([...tags.map(({ name }) => name), ...posts.flatMap((post) => post.tags)])];
  const fresh = asTag(added);
  const isWrong = fresh !== '' && !isTagName(fresh);
  const change: TagChange = {
    added: [...names.filter((name) => choices.get(name) === true), ...(fresh === '' ? [] : [fresh])],
    removed: names.filter((name) => choices.get(name) === false && foldTag(name) !== foldTag(fresh)),
  };
  const isNothing = isWrong || (change.added.length === 0 && change.removed.length === 0);
  const submit = () => {
    if (isNothing) return;
    onClose();
    onTag(posts, change);
  };
  return (
    <Dialog title={texts.tag.title(posts.length)} isOpen onClose={onClose}>
      <DialogBody>
        <Form id={formId} onSubmit={submit} error={null}>
          {names.length === 0 ? (
            <Muted>{texts.tag.none}</Muted>
          ) : (
            <Stack as="ul" gap={0} aria-label={texts.tag.label}>
              {names.map((name) => {
                const number = numberOf(name);
                const isSome = choices.get(name) === undefined && number > 0 && number < posts.length;
                return (
                  <li key={name}>
                    <Checkbox
                      isSelected={choices.get(name) ?? number === posts.length}
                      isIndeterminate={isSome}
                      onChange={(isChosen) => setChoices(new Map(choices).set(name, isChosen))}
                      note={isSome ? texts.tag.some : undefined}
                    >
                      <TagChip name={name} color={colorOfTag(tags, name)} />
                    </Checkbox>
                  </li>
                );
              })}
            </Stack>
          )}
          <TextField
            label={texts.tag.add}
            help={isWrong ? words.tags.wrong : texts.tag.addHelp}
            isInvalid={isWrong}
            isOptional
            value={added}
            onChange={setAdded}
            maxLength={50}
          />
        </Form>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{words.shared.actions.cancel}</Button>
        <Button variant="primary" type="submit" form={formId} isDisabled={isNothing}>
          {texts.tag.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
