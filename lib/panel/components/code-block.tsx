import classes from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  label: string;
  code: string;
  copyLabel: string;
}

/** Text of a program, such as a curl command, with a copy button. Long lines wrap. */
export function CodeBlock({ label, code, copyLabel }: CodeBlockProps) {
  return (
    <figure className={classes.block}>
      <figcaption className={classes.head}>
        <span>{label}</span>
        <CopyButton text={code} label={copyLabel} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long program scrolls, also by keyboard */}
      <pre className={classes.code} tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
