import { maxUserTags } from '../../../../platforms/instagram/limits.ts';
import { Button } from '../../../components/button.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { TextField } from '../../../components/text-field.tsx';
import textClasses from '../../../components/texts.module.css';
import { words } from '../../../words/words.ts';
import { Said } from '../parts/at-field.tsx';
import type { Special } from './control.ts';
import classes from './options.module.css';
import type { ControlProps } from './props.ts';

interface Tag {
  username: string;
  x?: number;
  y?: number;
  mediaIndex?: number;
}

const texts = words.options.tags;

/** People in the images. Instagram takes places from 0 to 1; people think of per cent. */
export function UserTagsControl({ name, control, media, options, keyOf, onChange }: ControlProps<Special>) {
  const tags = Array.isArray(options[name]) ? (options[name] as readonly Tag[]) : [];
  const change = (next: readonly Tag[]) => onChange(name, next.length === 0 ? undefined : next);
  const edit = (place: number, changes: Partial<Tag>) => {
    const before = tags[place];
    if (before !== undefined) change(tags.with(place, { ...before, ...changes }));
  };
  const isVideo = media.length === 1 && media[0]?.type === 'video';
  return (
    <fieldset className={classes['rows']}>
      <legend className={textClasses['label']}>{control.label}</legend>
      {tags.length > 0 && !isVideo && <p className={textClasses['minor']}>{texts.help}</p>}
      {tags.map((tag, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tag is known by its place
        <div key={place} className={classes['row']}>
          <TextField
            label={texts.username}
            value={tag.username}
            onChange={(username) => edit(place, { username })}
            autoComplete="off"
          />
          {media.length > 1 && (
            <Numeric
              label={texts.image}
              value={(tag.mediaIndex ?? 0) + 1}
              most={media.length}
              onChange={(image) => edit(place, { mediaIndex: Math.max(0, image - 1) })}
            />
          )}
          {!isVideo && (
            <>
              <Numeric
                label={texts.x}
                value={percentOf(tag.x)}
                most={100}
                onChange={(x) => edit(place, { x: x / 100 })}
              />
              <Numeric
                label={texts.y}
                value={percentOf(tag.y)}
                most={100}
                onChange={(y) => edit(place, { y: y / 100 })}
              />
            </>
          )}
          <IconButton
            icon="cross"
            label={texts.remove(tag.username)}
            onPress={() => change(tags.toSpliced(place, 1))}
          />
        </div>
      ))}
      <Said of={keyOf(name)} />
      {tags.length < maxUserTags && (
        <div>
          <Button
            size="small"
            icon="plus"
            onPress={() => change([...tags, { username: '', ...(!isVideo && { x: 0.5, y: 0.5 }) }])}
          >
            {texts.add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

const percentOf = (part: number | undefined): number | undefined =>
  part === undefined ? undefined : Math.round(part * 100);

interface NumericProps {
  label: string;
  value: number | undefined;
  most: number;
  onChange: (value: number) => void;
}

function Numeric({ label, value, most, onChange }: NumericProps) {
  return (
    <TextField
      label={label}
      inputMode="numeric"
      value={value === undefined ? '' : String(value)}
      onChange={(text) => {
        const number = Number.parseInt(text, 10);
        onChange(Number.isNaN(number) ? 0 : Math.min(most, Math.max(0, number)));
      }}
      autoComplete="off"
    />
  );
}
