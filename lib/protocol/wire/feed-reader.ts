/**
 * The header of the feed of questions that names its reader. Tabs with the same name see the same questions, so one
 * connection is enough for them.
 *
 * @source H11
 */
export const feedReaderHeader = 'countersign-reader';
