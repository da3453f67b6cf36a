// SPDX-License-Identifier: GPL-2.0-only
/*
 * The text of a batch: sequences, their options, their steps. Owns the memory of
 * sequences. The language is in tools/traces/README.md.
 */
#include <linux/ctype.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "script.h"

static atomic_t numbers = ATOMIC_INIT(0);

void sc_step_split(struct sc_step *step, const char *line)
{
	char *cursor = step->buffer, *word;

	step->count = 0;
	strscpy(step->buffer, line, sizeof(step->buffer));
	while ((word = strsep(&cursor, " \t")))
		if (*word && step->count < SC_WORDS)
			step->words[step->count++] = word;
}

const char *sc_opt(const struct sc_step *step, const char *key)
{
	size_t len = strlen(key);
	unsigned int i;

	for (i = 0; i < step->count; i++)
		if (!strncmp(step->words[i], key, len) && step->words[i][len] == '=')
			return step->words[i] + len + 1;
	return NULL;
}

s64 sc_num(const struct sc_step *step, const char *key, s64 none)
{
	const char *text = sc_opt(step, key);
	long long value;

	if (!text)
		return none;
	if (kstrtoll(text, 0, &value)) {
		pr_err("cm_script: %s=%s is not a number\n", key, text);
		return none;
	}
	return value;
}

u16 sc_attr(const char *name)
{
	u16 attr;

	for (attr = ATTR_REQ; attr <= ATTR_APR; attr++)
		if (!strcmp(mad_name(attr), name))
			return attr;
	return 0;
}

static struct sc_seq *seq_create(struct sc_batch *batch, const char *line)
{
	struct sc_seq **seqs, *seq;
	struct sc_step *step;
	unsigned int i;

	if (batch->count == batch->size) {
		seqs = kvrealloc(batch->seqs, (batch->size + 256) * sizeof(*seqs), GFP_KERNEL);
		if (!seqs)
			return ERR_PTR(-ENOMEM);
		batch->seqs = seqs;
		batch->size += 256;
	}
	step = kzalloc(sizeof(*step), GFP_KERNEL);
	seq = kvzalloc(sizeof(*seq), GFP_KERNEL);
	if (!seq || !step)
		goto fail;
	sc_step_split(step, line);
	mutex_init(&seq->lock);
	INIT_LIST_HEAD(&seq->names);
	seq->number = atomic_inc_return(&numbers);
	seq->index = batch->count;
	seq->name = kstrdup(step->count > 1 ? step->words[1] : "-", GFP_KERNEL);
	if (!seq->name)
		goto fail;
	seq->layer = sc_opt(step, "layer") && !strcmp(sc_opt(step, "layer"), "roce") ?
		     IB_LINK_LAYER_ETHERNET : IB_LINK_LAYER_INFINIBAND;
	seq->own_dev = sc_num(step, "device", 0);
	seq->own_port = seq->own_dev || sc_num(step, "own", 0);
	seq->facts = sc_num(step, "facts", 0);
	seq->second = sc_num(step, "second", 0);
	seq->removal_ms = -1;
	INIT_WORK(&seq->removal, sc_unplug_work);
	seq->timeout = sc_num(step, "timeout", 21);
	seq->lifetime = sc_num(step, "lifetime", 21);
	seq->retries = sc_num(step, "retries", 0);
	seq->guid = sc_num(step, "guid", SC_GUID + seq->number);
	for (i = 0; i < SC_IDS; i++) {
		seq->ids[i].seq = seq;
		INIT_WORK(&seq->ids[i].work, sc_destroy_work);
	}
	batch->seqs[batch->count++] = seq;
	kfree(step);
	return seq;
fail:
	kvfree(seq);
	kfree(step);
	return ERR_PTR(-ENOMEM);
}

/* The text stays: steps point into it. */
int sc_batch_parse(struct sc_batch *batch, char *text)
{
	struct sc_seq *seq = NULL;
	char *line, *hash, **steps;

	while ((line = strsep(&text, "\n"))) {
		hash = strchr(line, '#');
		if (hash)
			*hash = 0;
		line = strim(line);
		if (!*line)
			continue;
		if (!strncmp(line, "sequence ", 9)) {
			seq = seq_create(batch, line);
			if (IS_ERR(seq))
				return PTR_ERR(seq);
			continue;
		}
		if (!seq) {
			pr_err("cm_script: a step outside a sequence: %s\n", line);
			return -EINVAL;
		}
		if (seq->count % 16 == 0) {
			steps = krealloc(seq->steps, (seq->count + 16) * sizeof(*steps), GFP_KERNEL);
			if (!steps)
				return -ENOMEM;
			seq->steps = steps;
		}
		seq->steps[seq->count++] = line;
	}
	return 0;
}
