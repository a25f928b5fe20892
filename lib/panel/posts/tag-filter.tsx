import { Select } from '../components/select.tsx';
import { words } from '../words/words.ts';
import { useTags } from './tags.ts';

const texts = words.tags;

interface TagFilterProps {
  value: string | undefined;
  /** Default: true */
  isLabelHidden?: boolean;
  onChange: (name: string) => void;
}

/** Narrows a list to the posts with a tag. Nothing is shown in a workspace without tags. */
export function TagFilter({ value, isLabelHidden = true, onChange }: TagFilterProps) {
  const tags = useTags() ?? [];
  const names = tags.map(({ name }) => name);
  // A link may name a tag that was renamed or deleted since.
  const all = value === undefined || names.includes(value) ? names : [value, ...names];
  if (all.length === 0) return null;
  return (
    <Select
      label={texts.filter}
      isLabelHidden={isLabelHidden}
      choices={[{ id: 'any', name: texts.any }, ...all.map((name) => ({ id: `tag:${name}`, name }))]}
      value={value === undefined ? 'any' : `tag:${value}`}
      onChange={(key) => onChange(key === 'any' || key === null ? '' : String(key).slice('tag:'.length))}
    />
  );
}
