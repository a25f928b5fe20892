import { lazy, Suspense, useState } from 'react';
import { Button } from '../components/button.tsx';
import { join } from '../components/classes.ts';
import { Icon } from '../components/icon.tsx';
import { Muted } from '../components/layout.tsx';
import { TextField } from '../components/text-field.tsx';
import { words } from '../words/words.ts';
import classes from './tags.module.css';
import {
  asTag,
  colorOfTag,
  isSameTag,
  isTagName,
  matchesTag,
  mostTags,
  type TagColor,
  useTags,
} from './tags.ts';

const TagsDialog = lazy(async () => ({ default: (await import('./tags-dialog.tsx')).TagsDialog }));

const texts = words.tags;
/** The most tags that are offered before somebody types. */
const mostShown = 30;

interface TagPickerProps {
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
}

/** Chooses tags, those of the workspace and new ones. A new one comes into being when a post with it is stored. */
export function TagPicker({ value, onChange }: TagPickerProps) {
  const tags = useTags();
  const [typed, setTyped] = useState('');
  const [isManaging, setManaging] = useState(false);
  const name = asTag(typed);
  const isChosen = (other: string) => value.some((each) => isSameTag(each, other));
  const known = tags?.map((tag) => tag.name) ?? [];
  const others = known.filter((each) => !isChosen(each) && matchesTag(each, typed));
  const isNew = name !== '' && ![...value, ...known].some((each) => isSameTag(each, name));
  const isFull = value.length >= mostTags;
  const isWrong = name !== '' && !isTagName(name);
  const add = (chosen: string) => {
    if (isFull || isChosen(chosen)) return;
    onChange([...value, chosen]);
    setTyped('');
  };
  /** Takes the tag with this name, or makes a new one. */
  const enter = () => {
    const match = known.find((each) => isSameTag(each, name));
    if (match !== undefined) add(match);
    else if (isNew && !isWrong) add(name);
  };
  return (
    <fieldset className={classes.picker} aria-label={texts.title}>
      <TextField
        label={texts.add}
        help={isWrong ? texts.wrong : isFull ? texts.full : texts.addHelp}
        isInvalid={isWrong}
        value={typed}
        onChange={setTyped}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          enter();
        }}
        autoComplete="off"
      />
      <ul className={classes.chips}>
        {value.map((each) => (
          <li key={each}>
            <Choice
              name={each}
              color={colorOfTag(tags, each)}
              isChosen
              onPress={() => onChange(value.filter((other) => other !== each))}
            />
          </li>
        ))}
        {others.slice(0, mostShown).map((each) => (
          <li key={each}>
            <Choice
              name={each}
              color={colorOfTag(tags, each)}
              isDisabled={isFull}
              onPress={() => add(each)}
            />
          </li>
        ))}
        {isNew && !isWrong && !isFull && (
          <li>
            <Button size="small" icon="plus" onPress={enter}>
              {texts.create(name)}
            </Button>
          </li>
        )}
      </ul>
      {others.length > mostShown && <Muted>{texts.more(others.length - mostShown)}</Muted>}
      {known.length > 0 && (
        <div>
          <Button size="small" variant="quiet" onPress={() => setManaging(true)}>
            {texts.manage.open}
          </Button>
        </div>
      )}
      {isManaging && (
        <Suspense>
          <TagsDialog onClose={() => setManaging(false)} />
        </Suspense>
      )}
    </fieldset>
  );
}

interface ChoiceProps {
  name: string;
  color: TagColor;
  isChosen?: boolean;
  isDisabled?: boolean;
  onPress: () => void;
}

function Choice({ name, color, isChosen = false, isDisabled = false, onPress }: ChoiceProps) {
  return (
    <button
      type="button"
      className={join(classes.chip, classes.choice, classes[color])}
      aria-pressed={isChosen}
      disabled={isDisabled}
      onClick={onPress}
    >
      {isChosen && <Icon name="check" size={14} />}
      <span className={classes.name} dir="auto">
        {name}
      </span>
    </button>
  );
}
