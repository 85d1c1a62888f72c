'use client';

import { type RefObject, useEffect, useRef } from 'react';

/** Opens a dialog once it is mounted. The browser returns the focus when it closes. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return dialog;
}
