import type { Ref } from 'react';
import { Button } from 'react-aria-components/Button';
import { Input } from 'react-aria-components/Input';
import { SearchField as Base, type SearchFieldProps as BaseProps } from 'react-aria-components/SearchField';
import { words } from '../words/words.ts';
import { join } from './classes.ts';
import field from './field.module.css';
import { Icon } from './icon.tsx';
import classes from './search-field.module.css';

interface SearchFieldProps extends Omit<BaseProps, 'className' | 'style' | 'children' | 'aria-label'> {
  label: string;
  inputRef?: Ref<HTMLInputElement>;
}

/** Filters what is below it while the person types. */
export function SearchField({ label, inputRef, ...rest }: SearchFieldProps) {
  return (
    <Base {...rest} aria-label={label} className={classes.search}>
      <Icon name="search" />
      <Input
        {...(inputRef && { ref: inputRef })}
        className={join(field.control, classes.input)}
        placeholder={label}
      />
      <Button className={classes.clear} aria-label={words.shared.fields.clear}>
        <Icon name="cross" size={14} />
      </Button>
    </Base>
  );
}
