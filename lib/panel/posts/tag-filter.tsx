import { Select } from '../components/select.tsx';
import { words } from '../words/words.ts';
import { useTags } from './tags.ts';

const texts = words.tags;

const idOf = (name: string) => `tag:${name}`;

interface TagFilterProps {
  value: string | undefined;
  /** Default: true */
  isLabelHidden?: boolean;
  onChange: (name: string) => void;
}

/** Narrows a list to the posts with a tag. Nothing is shown in a workspace without tags. */
export function TagFilter({ value, isLabelHidden = true, onChange }: TagFilterProps) {
  const tags = useTags() ?? [];
  const known = tags.map(({ name }) => ({ id: idOf(name), name }));
  const isUnknown = value !== undefined && !tags.some(({ name }) => name === value);
  // The name comes from a link, which may say anything.
  const all = isUnknown ? [{ id: idOf(value), name: texts.unknown }, ...known] : known;
  if (all.length === 0) return null;
  return (
    <Select
      label={texts.filter}
      isLabelHidden={isLabelHidden}
      choices={[{ id: 'any', name: texts.any }, ...all]}
      value={value === undefined ? 'any' : idOf(value)}
      onChange={(key) => onChange(key === 'any' || key === null ? '' : String(key).slice('tag:'.length))}
    />
  );
}
