// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the kernel log says.
 *
 * Owns: nothing. The log is a ring: what is looked for has to be recent.
 */
#include <linux/kmsg_dump.h>
#include <linux/string.h>

#include "life.h"

/**
 * life_log - look for lines in the kernel log
 * @text: what they say
 * @line: filled with the last of them; NULL: not wanted
 * @size: of @line
 *
 * Context: process.
 * Return: how many there are.
 */
unsigned int life_log(const char *text, char *line, size_t size)
{
	static char buf[1024];
	struct kmsg_dump_iter iter;
	unsigned int n = 0;
	size_t len;

	kmsg_dump_rewind(&iter);
	while (kmsg_dump_get_line(&iter, false, buf, sizeof(buf) - 1, &len)) {
		buf[len] = 0;
		if (!strstr(buf, text))
			continue;
		n++;
		if (line)
			strscpy(line, buf, size);
	}
	return n;
}
