import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { words } from '../words/words.ts';
import { join } from './classes.ts';
import classes from './copy-button.module.css';
import { Icon } from './icon.tsx';

interface CopyButtonProps {
  text: string;
  label: string;
  hasWord?: boolean | undefined;
}

/** Copies a text, and says that it did, to the eye and to assistive technology. */
export function CopyButton({ text, label, hasWord }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <Button
      className={join(classes.copy, hasWord && classes.worded)}
      aria-label={label}
      onPress={() => void copy().catch(() => setCopied(false))}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      {hasWord && <span>{isCopied ? words.shared.actions.copied : words.shared.actions.copy}</span>}
      <span role="status" className={classes.said}>
        {isCopied ? words.shared.actions.copied : ''}
      </span>
    </Button>
  );
}

/** An id, or another text of programs, with its copy button. */
export function CopiedCode({ text, label }: Pick<CopyButtonProps, 'text' | 'label'>) {
  return (
    <span className={classes.code}>
      <code>
        <bdi>{text}</bdi>
      </code>
      <CopyButton text={text} label={label} />
    </span>
  );
}
