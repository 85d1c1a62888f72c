'use client';

import { useState } from 'react';
import { z } from 'zod';
import { Button } from '../../_ui/button.tsx';
import styles from './copy-link.module.css';

const linkSchema = z.object({ url: z.url() });

/** What came of it: the link, unless the server made none, and whether the browser let the page copy it. */
type Result = { readonly url: string | undefined; readonly isCopied: boolean };

/** Copies a link by which the signed-in person can answer this question elsewhere. @param props.id of the question */
export default function CopyLink({ id }: { id: string }) {
  const [result, setResult] = useState<Result>();
  const copy = async () => {
    const url = await makeLink(id);
    setResult({ url, isCopied: url !== undefined && (await isWritten(url)) });
  };
  const shown = result?.isCopied === false ? result.url : undefined;
  return (
    <div className={styles.copy}>
      <Button kind="quiet" onClick={() => void copy()}>
        Copy link
      </Button>
      <p role="status">{result && textOf(result)}</p>
      {shown !== undefined && <input className={styles.url} aria-label="Link" readOnly value={shown} />}
    </div>
  );
}

function textOf({ url, isCopied }: Result): string {
  if (url === undefined) return 'The link couldn’t be made.';
  const use = 'It answers this request in your name for an hour, so keep it to yourself.';
  return isCopied ? `Link copied. ${use}` : `Copy this link. ${use}`;
}

async function makeLink(approvalId: string): Promise<string | undefined> {
  try {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ approvalId });
    const response = await fetch('/api/demo/answer-links', { method: 'POST', headers, body });
    return response.ok ? linkSchema.safeParse(await response.json()).data?.url : undefined;
  } catch {
    return undefined;
  }
}

/** Browsers refuse on pages without HTTPS, and if the person does. */
async function isWritten(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
