import { join } from '../components/classes.ts';
import classes from './tags.module.css';
import { colorOfTag, type TagColor, useTags } from './tags.ts';

/** A tag in its colour. */
export function TagChip({ name, color }: { name: string; color: TagColor }) {
  return (
    <span className={join(classes.chip, classes[color])}>
      <span className={classes.name} dir="auto">
        {name}
      </span>
    </span>
  );
}

/** The tags of a post in their colours, in its order. */
export function TagChips({ names, label }: { names: readonly string[]; label: string }) {
  const tags = useTags();
  if (names.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label={label}>
      {names.map((name) => (
        <li key={name}>
          <TagChip name={name} color={colorOfTag(tags, name)} />
        </li>
      ))}
    </ul>
  );
}
