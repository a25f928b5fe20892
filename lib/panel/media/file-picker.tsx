import { useRef } from 'react';
import { Button, type ButtonProps } from '../components/button.tsx';
import classes from './file-picker.module.css';

interface FilePickerProps extends Pick<ButtonProps, 'variant' | 'size' | 'icon' | 'isDisabled'> {
  label: string;
  accept: string;
  isMultiple?: boolean;
  isCamera?: boolean;
  onChoose: (files: readonly File[]) => void;
}

/** A button that opens the picker of the system. */
export function FilePicker({ label, accept, isMultiple, isCamera, onChoose, ...rest }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <span className={isCamera ? classes['camera'] : undefined}>
      <Button {...rest} onPress={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        aria-label={label}
        accept={accept}
        multiple={isMultiple}
        {...(isCamera && { capture: 'environment' as const })}
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])]);
          // So that the same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </span>
  );
}
